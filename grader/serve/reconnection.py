"""How a tab finds its kit again after a restart, where the learner has allowed that once.

Tab and server know a secret. The tab looks for a server that proves that it knows it too. Another program that has taken the
port proves nothing, and is told nothing: no cookie, no path, no text. A proof names the port, so one of a server at another
port is none.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import re
import secrets
from collections import deque

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from grader.kit.files import PRIVATE, Unreadable, read_regular, write_atomically
from grader.kit.kit import Kit
from grader.kit.state import folder_of_kit

PATH = "/again"
SECRET_FILE = "tab-secret"
SECRET_BYTES, NONCE_BYTES = 32, 16
LARGEST_SECRET, LARGEST_REQUEST = 256, 1 << 10
"""The most bytes of the file, and of a request."""
MOST_CHALLENGES = 16
"""The most challenges that wait for an answer: the newest ones."""

_NONCE = re.compile(f"[0-9a-f]{{{2 * NONCE_BYTES}}}")


class Reconnection:
    """The secret of a kit, in the user's own folder, and the two requests of a tab that looks for its kit.

    Args:
        port: at which this server listens.
    """

    def __init__(self, kit: Kit, port: int) -> None:
        self._kit, self._port = kit, port
        self._challenges: deque[tuple[str, str]] = deque(maxlen=MOST_CHALLENGES)

    @property
    def secret(self) -> str:
        """The secret; empty where nobody has allowed this."""
        with contextlib.suppress(Unreadable, OSError):
            folder = folder_of_kit(self._kit.root)
            return read_regular(folder / SECRET_FILE, LARGEST_SECRET, below=folder).decode("ascii", "replace")
        return ""

    def allow(self) -> str:
        """Make the secret, if there is none. Raises OSError where it cannot be written."""
        if not self.secret:
            made = secrets.token_hex(SECRET_BYTES)
            write_atomically(folder_of_kit(self._kit.root) / SECRET_FILE, made.encode(), mode=PRIVATE)
        return self.secret

    def forbid(self) -> None:
        """Forget the secret: no tab finds this kit again. Raises OSError where that cannot be written."""
        (folder_of_kit(self._kit.root) / SECRET_FILE).unlink(missing_ok=True)

    def proof(self, query: str) -> Response:
        """The reply to a tab that asks whether this is its server: a proof, and a challenge for the tab."""
        nonce = query.removeprefix("nonce=")
        if not _NONCE.fullmatch(nonce) or not self.secret:
            return Response(status_code=404)
        challenge = secrets.token_hex(NONCE_BYTES)
        self._challenges.append((nonce, challenge))
        return JSONResponse({"proof": self._signed("server", nonce, challenge), "challenge": challenge})

    async def let_in(self, request: Request) -> bool:
        """Whether a request holds the answer to a challenge. Each challenge can be answered once."""
        data = bytearray()
        async for part in request.stream():
            data += part
            if len(data) > LARGEST_REQUEST:
                return False
        answer = data.decode("ascii", "replace")
        for nonce, challenge in list(self._challenges):
            if self.secret and hmac.compare_digest(answer.encode(), self._signed("tab", nonce, challenge).encode()):
                self._challenges.remove((nonce, challenge))
                return True
        return False

    def _signed(self, who: str, nonce: str, challenge: str) -> str:
        said = f"{who} {nonce} {challenge} {self._port}"
        return hmac.new(self.secret.encode(), said.encode(), hashlib.sha256).hexdigest()
