"""Sets up logging: structlog through one root handler, with message text and secrets dropped on the way."""

import logging
import re
import sys
from pathlib import Path
from typing import Any, Final, TextIO

import structlog

SILENT_KEYS: Final = frozenset(
    {
        "answer",
        "api_key",
        "arguments",
        "body",
        "content",
        "fact",
        "facts",
        "password",
        "prompt",
        "query",
        "question",
        "raw",
        "reply",
        "request",
        "response",
        "summary",
        "text",
        "token",
        "url",
    }
)
_SECRET: Final = re.compile(
    r"""(?ix)
      \b(?:sk|xai|pk|rk|key|pplx|nvapi)-[\w-]{8,}     # API keys of the known vendors
    | \b(?:gsk|hf|sk|fw|r8|ghp|github_pat)_[\w-]{16,}
    | \bAIza[\w-]{20,}
    | \bBearer\s+[\w.~+/-]+=*
    | \b[\w-]{23,28}\.[\w-]{6,7}\.[\w-]{27,}          # a Discord token
    | (?<=://)[^\s/@:]*:[^\s/@]+(?=@)                 # user:password in an address
    """
)
_DROPPED: Final = "[dropped]"
_BEFORE_VALUES: Final = re.compile(r"(?:[\w ,.%-]|(?<=n)'(?=t\b))*")


def redact(_logger: Any, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """The event without anything a person wrote and without secrets, at any depth."""
    return {key: _DROPPED if key in SILENT_KEYS else _redacted(value) for key, value in event.items()}


def _redacted(value: Any) -> Any:
    match value:
        case str():
            return _SECRET.sub(_DROPPED, value)
        case dict():
            return {k: _DROPPED if k in SILENT_KEYS else _redacted(v) for k, v in value.items()}
        case list() | tuple():
            return [_redacted(v) for v in value]
        case _:
            return value


def _safe_trace(exc_info: Any) -> list[dict[str, Any]]:
    """Where an error happened and its class; never its arguments or locals, which may hold message text."""
    tracer = structlog.tracebacks.ExceptionDictTransformer(show_locals=False, max_frames=30)
    return [
        {"type": part["exc_type"], "frames": [f"{f['filename']}:{f['lineno']} {f['name']}" for f in part["frames"]]}
        for part in tracer(exc_info)
    ]


def configure(*, to: Path | TextIO | None = None, level: str = "INFO", json: bool | None = None) -> None:
    """Send every log line to `to` (standard error unless given): JSON, or plain lines on a terminal.

    Replaces earlier handlers, so it may be called again. A file is opened for appending, readable by its owner only.
    """
    handler: logging.Handler
    if isinstance(to, Path):
        to.touch(mode=0o600, exist_ok=True)
        handler = logging.FileHandler(to, encoding="utf-8")
        as_json = True if json is None else json
    else:
        stream = to or sys.stderr
        handler = logging.StreamHandler(stream)
        as_json = not stream.isatty() if json is None else json
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_logger_name,
        structlog.processors.ExceptionRenderer(_safe_trace),
        _foreign_without_text,
        redact,
        # After it, as these hold nothing of anybody's: to look for secrets in a time takes long.
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer = structlog.processors.JSONRenderer() if as_json else structlog.dev.ConsoleRenderer(colors=False)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared, processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, renderer]
        )
    )
    root = logging.getLogger()
    for old in root.handlers[:]:
        root.removeHandler(old)
        old.close()
    root.addHandler(handler)
    root.setLevel(level)
    # The pool tells each failed reconnect with a traceback; `database.down` has said it.
    logging.getLogger("asyncpg").setLevel(logging.CRITICAL)
    logging.getLogger("apscheduler").setLevel(logging.WARNING)
    # A line for each that a server of tools writes amiss; `mcp.unavailable` says what came of it.
    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    structlog.configure(
        processors=[structlog.stdlib.filter_by_level, *shared, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )


def _foreign_without_text(_logger: Any, _method: str, event: structlog.typing.EventDict) -> structlog.typing.EventDict:
    """Keep a library's warning, but not the values in it, which may quote a request.

    Of a message that was formatted before it came here only what stands before the first quote, bracket or colon:
    asyncio tells a lost task with the text of its error.
    """
    if event.get("_from_structlog") is False:
        record: logging.LogRecord = event["_record"]
        message = str(record.msg)
        before = _BEFORE_VALUES.match(message)
        event["event"] = message if record.args or before is None else before[0].strip()
    return event


def on_screen() -> bool:
    """Whether log lines on standard error would stand between the replies on a screen."""
    return sys.stderr is not None and sys.stderr.isatty()  # pyright: ignore[reportUnnecessaryComparison]


def logger(name: str) -> structlog.stdlib.BoundLogger:
    """A logger whose events are constant dotted names and whose facts are keys."""
    return structlog.stdlib.get_logger(name)
