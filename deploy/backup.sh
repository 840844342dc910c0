#!/usr/bin/env bash
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=database.sh
source "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/database.sh"

usage() {
    cat <<'TEXT'
Usage: backup.sh [--keep N] [--config FILE] [--hathi PROGRAM] [--pg-bin FOLDER] FOLDER

Dumps the whole database of Hathi's settings (DATABASE_URL, else the embedded one) into FOLDER, while Hathi runs or not,
as hathi-DAYTTIMEZ.dump in pg_dump's custom format, readable by its owner only. It is read back to its end before it
takes its name, and the newest N (7) are kept. Prints the new file's name. restore.sh reads it.

  --keep N          keep the newest N backups in FOLDER and delete older ones
  --config FILE     Hathi's settings file
  --hathi PROGRAM   the hathi to ask for its settings, when it is not on PATH
  --pg-bin FOLDER   where pg_dump and pg_restore lie; else PATH, /usr/lib/postgresql, and those Hathi brings

Exit: 0 done; 64 wrong use; 65 not Hathi's database; 69 no database, or no programs for it; 73 FOLDER can't be written;
75 another backup is at work there; 78 a wrong setting; 1 what pg_dump said.
TEXT
}

keep=7 config="" hathi=hathi pg_bin="" folder=""
given=("$@")
while [ $# -gt 0 ]; do
    case $1 in
        -h | --help) usage; exit 0 ;;
        --keep | --config | --hathi | --pg-bin)
            [ $# -gt 1 ] || fail "$WRONG_USE" "$1 needs a value; --help tells more."
            case $1 in
                --keep) keep=$2 ;;
                --config) config=$2 ;;
                --hathi) hathi=$2 ;;
                --pg-bin) pg_bin=$2 ;;
            esac
            shift ;;
        -*) fail "$WRONG_USE" "there is no option $1; --help tells those there are." ;;
        *)
            [ -z "$folder" ] || fail "$WRONG_USE" "one FOLDER is enough; --help tells more."
            folder=$1 ;;
    esac
    shift
done
[ -n "$folder" ] || { usage >&2; exit "$WRONG_USE"; }
count --keep "$keep"
if [ -z "${DATABASE_AT:-}" ]; then
    beside_database "$hathi" "$config" old "$BASH" "$0" "${given[@]}"
fi

umask 077
mkdir -p "$folder" 2>/dev/null && [ -w "$folder" ] || fail "$NOT_WRITTEN" "$folder is no folder that can be written to."
fitting_programs "$DATABASE_MAJOR" "$pg_bin"

exec 9>"$folder/.lock"
flock --nonblock 9 || fail "$BUSY" "another backup is at work in $folder."
# Under the lock whatever is half-done was left by a kill.
rm -f "$folder"/.hathi-*.part
file=$folder/hathi-$(date -u +%Y%m%dT%H%M%SZ).dump
part=$folder/.$(basename "$file" .dump).part
trap 'rm -f "$part"' EXIT

"$PROGRAMS/pg_dump" --format=custom --file="$part" --dbname="$DATABASE_AT" --no-password
list=$("$PROGRAMS/pg_restore" --list "$part")
grep -q ' TABLE DATA public memory ' <<<"$list" ||
    fail "$WRONG_DATA" "that database has no table of memories: is it Hathi's?"
"$PROGRAMS/pg_restore" --file=/dev/null "$part"

[ ! -e "$file" ] || fail "$BUSY" "$file was written in this very second."
sync "$part"
mv "$part" "$file"
sync "$folder"
echo "$file"

made=("$folder"/hathi-[0-9]*T[0-9]*Z.dump)
for ((i = 0; i < ${#made[@]} - keep; i++)); do
    rm "${made[i]}"
done
