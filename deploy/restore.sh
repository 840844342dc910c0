#!/usr/bin/env bash
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=database.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/database.sh"

usage() {
    cat <<'TEXT'
Usage: restore.sh [--force] [--config FILE] [--hathi PROGRAM] [--pg-bin FOLDER] FILE

Puts what backup.sh wrote into the empty database of Hathi's settings (DATABASE_URL, else the embedded one, created in
HATHI_DATA_DIR where there is none), all of it or nothing, and brings its schema to this version (hathi migrate).
Stop Hathi first.

  --force           replace everything the database holds; without it a database with tables in it is left alone
  --config FILE     Hathi's settings file
  --hathi PROGRAM   the hathi to ask for its settings, when it is not on PATH
  --pg-bin FOLDER   where pg_restore and psql lie; else PATH, /usr/lib/postgresql, and those Hathi brings

Exit: 0 done; 64 wrong use; 65 FILE can't be restored here; 69 no database, or no programs for it; 73 the database is not
empty; 75 somebody is connected to it; 78 a wrong setting; 1 what pg_restore or psql said: nothing was changed.
TEXT
}

force="" config="" hathi=hathi pg_bin="" file=""
given=("$@")
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage; exit 0 ;;
        --force) force=yes ;;
        --config | --hathi | --pg-bin)
            [ $# -gt 1 ] || fail "$WRONG_USE" "$1 needs a value; --help tells more."
            case $1 in
                --config) config=$2 ;;
                --hathi) hathi=$2 ;;
                --pg-bin) pg_bin=$2 ;;
            esac
            shift ;;
        -*) fail "$WRONG_USE" "there is no option $1; --help tells those there are." ;;
        *)
            [ -z "$file" ] || fail "$WRONG_USE" "one FILE is enough; --help tells more."
            file=$1 ;;
    esac
    shift
done
[ -n "$file" ] || { usage >&2; exit "$WRONG_USE"; }
[ -f "$file" ] && [ -r "$file" ] || fail "$WRONG_DATA" "there is no readable file $file."
if [ -z "${DATABASE_AT:-}" ]; then
    beside_database "$hathi" "$config" new "$BASH" "$0" "${given[@]}"
fi

ask() { # STATEMENT: its one value
    "$PROGRAMS/psql" --no-psqlrc --no-password --quiet --tuples-only --no-align --set=ON_ERROR_STOP=1 \
        --dbname="$DATABASE_AT" --command="$1"
}

header() { # PATTERN: the major version that the archive's list names after it
    sed -nE "s/^;[[:space:]]+$1: ([0-9]+).*/\1/p" <<<"$list"
}

fitting_programs "$DATABASE_MAJOR" "$pg_bin"
READER=$PROGRAMS
if ! list=$("$READER/pg_restore" --list "$file" 2>/dev/null); then
    # Perhaps programs later than those that fit the server wrote it. Reading a file takes no connection.
    READER=$PROGRAMS_BROUGHT
    list=$("$READER/pg_restore" --list "$file" 2>/dev/null) ||
        fail "$WRONG_DATA" "$file is no backup that pg_restore reads: it is broken, or of a later Postgres."
fi
grep -q ' TABLE DATA public memory ' <<<"$list" || fail "$WRONG_DATA" "$file holds no memories: it is no backup of Hathi."
from=$(header 'Dumped from database version')
if [ "$from" -gt "$DATABASE_MAJOR" ]; then
    fail "$WRONG_DATA" "$file is of Postgres $from and this server is Postgres $DATABASE_MAJOR: a dump can't go back to \
an older version; move the terminal's space with hathi export and hathi import, or use a newer server."
fi

connected=$(ask "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND usename = current_user
    AND pid <> pg_backend_pid()")
[ "$connected" = 0 ] || fail "$BUSY" "$connected connections to this database are open: stop Hathi first."
tables=$(ask "SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm')
    AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'e')")
if [ "$tables" != 0 ] && [ -z "$force" ]; then
    fail "$NOT_WRITTEN" "the database holds $tables tables or views already: --force replaces all of them."
fi

statements() {
    # One transaction, and its end is said only when the archive was read to its own: whatever breaks off is undone.
    echo 'BEGIN;'
    if [ "$tables" != 0 ]; then
        echo 'SET LOCAL client_min_messages = warning; DROP SCHEMA public CASCADE;'
        echo 'CREATE SCHEMA public AUTHORIZATION pg_database_owner; GRANT USAGE ON SCHEMA public TO PUBLIC;'
    fi
    # A server before Postgres 17 does not know the setting that later programs begin with.
    "$READER/pg_restore" --no-owner --no-privileges --no-comments --file=- "$file" |
        LC_ALL=C sed '1,40{/^SET transaction_timeout = 0;$/d}' &&
        echo 'COMMIT;'
}
statements | "$PROGRAMS/psql" --no-psqlrc --no-password --quiet --set=ON_ERROR_STOP=1 --output=/dev/null \
    --dbname="$DATABASE_AT" || fail 1 "nothing was changed."

# Or the first plans would be made without knowing how large anything is.
ask 'SET client_min_messages = error; ANALYZE' >/dev/null
"$hathi" ${config:+--config "$config"} migrate
echo "Restored $file."
