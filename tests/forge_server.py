"""A forge on loopback that answers as GitHub's REST API v3 or Gitea's v1 is documented to, and fails on demand.

The shapes are those of docs.github.com/rest and docs.gitea.com/api, cut to the fields that tell things apart. Logs lie
with a store of their own origin, as GitHub's do: the API answers 302 with an address there.
"""

import asyncio
import base64
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from types import TracebackType
from typing import Any, Literal, Self

from aiohttp import web

TOKEN = "forge-token-of-the-tests"
WHEN = "2026-03-01T10:00:00Z"


@dataclass(frozen=True, kw_only=True)
class Status:
    """An error answer."""

    status: int
    body: dict[str, Any] = field(default_factory=lambda: {"message": "no"})
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True)
class Hang:
    """No answer until the server closes."""


@dataclass(frozen=True, kw_only=True)
class Raw:
    """A 200 with this body."""

    body: bytes
    headers: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, kw_only=True)
class Moved:
    """A redirect."""

    to: str
    status: int = 302


@dataclass(frozen=True, kw_only=True)
class Cut:
    """The connection breaks before an answer."""


Step = Status | Hang | Raw | Moved | Cut


@dataclass(frozen=True, kw_only=True)
class Asked:
    """One request."""

    method: str
    path: str
    """Below the root of the API, or of the store."""
    query: dict[str, str]
    headers: dict[str, str]


@dataclass(kw_only=True)
class Repository:
    """What one repository holds."""

    private: bool = False
    branch: str = "main"
    items: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]])
    comments: dict[int, list[dict[str, Any]]] = field(default_factory=dict[int, list[dict[str, Any]]])
    heads: dict[int, str] = field(default_factory=dict[int, str])
    files: dict[str, bytes] = field(default_factory=dict[str, bytes])
    commits: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    runs: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    jobs: dict[int, list[dict[str, Any]]] = field(default_factory=dict[int, list[dict[str, Any]]])
    logs: dict[int, str] = field(default_factory=dict[int, str])
    statuses: dict[str, list[dict[str, Any]]] = field(default_factory=dict[str, list[dict[str, Any]]])

    def issue(
        self, number: int, title: str, body: str = "", *, pull: dict[str, Any] | None = None, **more: Any
    ) -> None:
        """Open an issue, or a pull request where `pull` says what it is as one."""
        self.items[number] = (
            {
                "number": number,
                "title": title,
                "body": body or None,
                "state": "open",
                "user": {"login": "alice"},
                "labels": [],
                "created_at": WHEN,
                "closed_at": None,
                "comments": 0,
                "html_url": f"https://forge.example/{number}",
            }
            | ({} if pull is None else {"pull_request": pull})
            | more
        )

    def comment(self, number: int, body: str, *, by: str = "bob", at: str = WHEN) -> None:
        """Write below an item."""
        self.comments.setdefault(number, []).append({"body": body, "user": {"login": by}, "created_at": at})
        self.items[number]["comments"] += 1

    def commit(self, sha: str, message: str, *files: str) -> None:
        """Add a commit."""
        self.commits[sha] = {
            "sha": sha,
            "html_url": f"https://forge.example/commit/{sha}",
            "author": {"login": "carol"},
            "commit": {"message": message, "author": {"name": "Carol", "email": "carol@example.org", "date": WHEN}},
            "files": [{"filename": name, "status": "modified"} for name in files],
        }

    def run(self, run_id: int, sha: str, outcome: str, *, log: str = "", number: int = 7, name: str = "CI") -> None:
        """Let CI run; the newest comes first."""
        self.runs.insert(
            0,
            {
                "id": run_id,
                "run_number": number,
                "name": name,
                "display_title": "Add cache",
                "status": "completed",
                "conclusion": outcome,
                "head_branch": "main",
                "head_sha": sha,
                "actor": {"login": "dave"},
                "html_url": f"https://forge.example/runs/{run_id}",
                "run_started_at": WHEN,
            },
        )
        self.jobs[run_id] = [
            {"id": run_id * 10, "name": "lint", "status": "completed", "conclusion": "success", "steps": []},
            {
                "id": run_id * 10 + 1,
                "name": "test",
                "status": "completed",
                "conclusion": outcome,
                "steps": [{"name": "pytest", "number": 1, "status": "completed", "conclusion": outcome}],
            },
        ]
        self.logs[run_id * 10 + 1] = log


class ForgeServer:
    """One forge. Faults are given by the end of a path, and used up in order."""

    def __init__(self, kind: Literal["github", "gitea"] = "github", *, token: str | None = TOKEN) -> None:
        self.kind: Literal["github", "gitea"] = kind
        self.token = token
        self.repositories: dict[str, Repository] = {}
        self.faults: dict[str, list[Step]] = {}
        self.requests: list[Asked] = []
        self.stored: list[Asked] = []
        """What the store of logs was asked."""
        self.asked = asyncio.Event()
        self.api = self.store = ""
        self._closing = asyncio.Event()
        self._runners: list[web.AppRunner] = []

    def repository(self, path: str, *, private: bool = False) -> Repository:
        """Add a repository."""
        return self.repositories.setdefault(path, Repository(private=private))

    def asked_for(self, ending: str) -> list[Asked]:
        """The requests whose path ends so."""
        return [one for one in self.requests if one.path.endswith(ending)]

    async def __aenter__(self) -> Self:
        """Listen on two free loopback ports."""
        root = "/api/v3" if self.kind == "github" else "/api/v1"
        self.api = await self._listen(root, self._api) + root
        self.store = await self._listen("", self._store)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, exc: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._closing.set()
        for runner in self._runners:
            await runner.cleanup()

    async def _listen(self, root: str, answer: Callable[[web.Request], Any]) -> str:
        app = web.Application()
        app.router.add_route("*", root + "/{path:.*}", answer)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, handler_cancellation=True)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", 0).start()
        self._runners.append(runner)
        host, port = runner.addresses[0][:2]
        return f"http://{host}:{port}"

    async def _store(self, request: web.Request) -> web.StreamResponse:
        self.stored.append(_asked(request))
        if (failed := await self._failed(request)) is not None:
            return failed
        repository, job = request.match_info["path"].rsplit("/", 1)
        return web.Response(text=self.repositories[repository].logs[int(job)], content_type="text/plain")

    async def _api(self, request: web.Request) -> web.StreamResponse:
        self.requests.append(_asked(request))
        self.asked.set()
        if (failed := await self._failed(request)) is not None:
            return failed
        sent = request.headers.get("Authorization")
        scheme = "Bearer" if self.kind == "github" else "token"
        if self.token is not None and sent is not None and sent != f"{scheme} {self.token}":
            return _refusal(401, "Bad credentials")
        knows = self.token is None or sent is not None
        path = request.match_info["path"].split("/")
        if path[:2] == ["search", "issues"] and self.kind == "github":
            return self._marked(request, self._found(request.query["q"]))
        if path[0] != "repos" or (repository := self.repositories.get("/".join(path[1:3]))) is None:
            return _refusal(404, "Not Found")
        if repository.private and not knows:
            return _refusal(404, "Not Found")
        return self._answer(request, "/".join(path[1:3]), repository, path[3:])

    async def _failed(self, request: web.Request) -> web.StreamResponse | None:
        ending = next((one for one, steps in self.faults.items() if steps and request.path.endswith(one)), None)
        if ending is None:
            return None
        match self.faults[ending].pop(0):
            case Status() as step:
                return web.json_response(step.body, status=step.status, headers=step.headers)
            case Raw() as step:
                return web.Response(body=step.body, content_type="application/json", headers=step.headers)
            case Moved() as step:
                return web.Response(status=step.status, headers={"Location": step.to})
            case Cut():
                assert request.transport is not None
                request.transport.abort()
                return web.Response()
            case Hang():
                await self._closing.wait()
                return web.Response()

    def _marked(self, request: web.Request, answer: Any) -> web.Response:
        """The answer with the mark GitHub gives it, or 304 where it is known; Gitea gives none."""
        body = json.dumps(answer).encode()
        if self.kind == "gitea":
            return web.Response(body=body, content_type="application/json")
        etag = f'W/"{hashlib.sha256(body).hexdigest()}"'
        if request.headers.get("If-None-Match") == etag:
            return web.Response(status=304, headers={"ETag": etag})
        return web.Response(body=body, content_type="application/json", headers={"ETag": etag})

    def _answer(self, request: web.Request, name: str, held: Repository, path: list[str]) -> web.StreamResponse:
        query, answer = request.query, None
        match path:
            case []:
                answer = {"full_name": name, "private": held.private, "default_branch": held.branch}
                answer |= {"internal": False} if self.kind == "gitea" else {"visibility": "public"}
            case ["issues"] if self.kind == "gitea":
                answer = self._listed(held, query["q"], query.get("type"))[: int(query["limit"])]
            case ["issues", number] if number.isdecimal():
                answer = held.items.get(int(number))
            case ["issues", number, "comments"]:
                answer = held.comments.get(int(number), [])
                if self.kind == "github":
                    length, page = int(query.get("per_page", 30)), int(query.get("page", 1))
                    answer = answer[(page - 1) * length : page * length]
            case ["pulls", number] if int(number) in held.heads:
                answer = held.items[int(number)] | {"head": {"ref": "cache", "sha": held.heads[int(number)]}}
            case ["contents", *file]:
                answer = self._content(held, "/".join(file))
            case ["git", "trees", ref] if ref == held.branch:
                answer = {
                    "sha": ref,
                    "truncated": False,
                    "tree": [
                        {"path": one, "mode": "100644", "type": "blob", "size": len(held.files[one])}
                        for one in held.files
                    ],
                }
            case ["commits", sha] if self.kind == "github":
                answer = _begins(held.commits, sha)
                if answer is None:
                    return _refusal(422, f"No commit found for SHA: {sha}")
            case ["git", "commits", sha] if self.kind == "gitea":
                answer = _begins(held.commits, sha)
            case ["commits", ref, "status"]:
                statuses = held.statuses.get(ref, [])
                answer = {"state": statuses[0]["state"] if statuses else "pending", "sha": ref, "statuses": statuses}
            case ["actions", "runs"]:
                runs = [one for one in held.runs if query.get("head_sha", one["head_sha"]) == one["head_sha"]]
                runs = [one for one in runs if query.get("status", one["conclusion"]) == one["conclusion"]]
                limit = int(query["per_page" if self.kind == "github" else "limit"])
                answer = {"total_count": len(runs), "workflow_runs": [self._run(one) for one in runs[:limit]]}
            case ["actions", "runs", run] if run.isdecimal():
                answer = next((self._run(one) for one in held.runs if one["id"] == int(run)), None)
            case ["actions", "runs", run, "jobs"]:
                answer = {"total_count": 2, "jobs": held.jobs[int(run)]} if int(run) in held.jobs else None
            case ["actions", "jobs", job, "logs"] if int(job) in held.logs:
                if self.kind == "github":
                    return web.Response(status=302, headers={"Location": f"{self.store}/{name}/{job}?sig=a%2Fb%3D"})
                return web.Response(text=held.logs[int(job)], content_type="text/plain")
            case _:
                pass
        return _refusal(404, "Not Found") if answer is None else self._marked(request, answer)

    def _run(self, run: dict[str, Any]) -> dict[str, Any]:
        """A run as this kind of forge has it: Gitea's has no name, and another word for when it began."""
        if self.kind == "github":
            return run
        rest = {key: value for key, value in run.items() if key not in {"name", "run_started_at"}}
        return rest | {"path": "ci.yml@refs/heads/main", "started_at": run["run_started_at"]}

    def _content(self, held: Repository, path: str) -> Any:
        if path not in held.files:
            inside = [one for one in held.files if one.startswith(f"{path}/")]
            return [{"type": "file", "path": one} for one in inside] or None
        raw = held.files[path]
        return {
            "type": "file",
            "encoding": "base64",
            "size": len(raw),
            "path": path,
            "name": path.rsplit("/", 1)[-1],
            "content": base64.encodebytes(raw).decode(),
            "html_url": f"https://forge.example/{path}",
        }

    def _listed(self, held: Repository, phrase: str, kind: str | None) -> list[dict[str, Any]]:
        """Gitea's search without an index: the phrase as it stands, in title or body."""
        return [
            one
            for one in held.items.values()
            if phrase.lower() in f"{one['title']} {one['body']}".lower()
            and (kind is None or (kind == "pulls") == ("pull_request" in one))
        ]

    def _found(self, q: str) -> dict[str, Any]:
        """GitHub's search: `repo:owner/name is:kind (word OR word)`."""
        place, kind, rest = q.split(" ", 2)
        held = self.repositories[place.removeprefix("repo:")]
        words = rest.strip("()").lower().split(" or ")
        items = [
            one
            for one in held.items.values()
            if (kind == "is:pull-request") == ("pull_request" in one)
            and any(word in f"{one['title']} {one['body']}".lower() for word in words)
        ]
        return {"total_count": len(items), "incomplete_results": False, "items": items}


def _begins(commits: dict[str, dict[str, Any]], sha: str) -> dict[str, Any] | None:
    return next((commit for whole, commit in commits.items() if whole.startswith(sha)), None)


def _refusal(status: int, message: str) -> web.Response:
    return web.json_response({"message": message, "documentation_url": "https://docs.example/rest"}, status=status)


def _asked(request: web.Request) -> Asked:
    return Asked(
        method=request.method, path=request.match_info["path"], query=dict(request.query), headers=dict(request.headers)
    )
