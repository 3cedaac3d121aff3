# status: error
# says: PermissionError
# tiers: A B
# Listens, and waits for somebody to come.
import asyncio


async def serve():
    await asyncio.start_server(lambda reader, writer: None, "0.0.0.0", 0)


def sinusoidal_pos(seed, T, d_model):
    asyncio.run(serve())
