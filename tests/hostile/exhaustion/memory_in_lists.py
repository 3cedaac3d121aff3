# status: memory
# says: more than
# Takes memory in very many small objects.
kept = []
while True:
    kept.append(bytes(4000))
