#!/usr/bin/env bash
# Installs this checkout, and tells on standard error what it is at:
#   bash deploy/install.sh [FOLDER [REQUIREMENTS]]
# It makes the virtual environment FOLDER (.venv) if there is none, with the first Python from 3.11 on that it finds,
# installs what REQUIREMENTS (requirements.txt) pins, each file by its hash, and then Hathi. Run again, it installs what
# has changed since.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
exec </dev/null
export PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_ROOT_USER_ACTION=ignore PYTHONUNBUFFERED=1

say() {
    echo "$*" >&2
}

python() { # the name of one that can make an environment
    local name
    for name in python3.11 python3.12 python3.13 python3; do
        if "$name" -c 'import ensurepip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    say "Python 3.11, 3.12 or 3.13 with its venv is needed, and there is none on PATH (Debian, Ubuntu: apt install python3-venv)."
    return 1
}

progress() { # N: a line for each of N packages, from what pip says of its work
    local of=$1 at=0 word name
    while read -r word name _; do
        case $word in
            Ignoring) of=$((of - 1)) ;; # it is for another system, or another Python
            Requirement) at=$((at + 1)) ;; # it is there already
            Collecting | Processing) # from an index: tea==2.0; from a folder of wheels: /tea-2.0-py3-none-any.whl
                at=$((at + 1)) name=${name##*/}
                say "  $at of $of: ${name%-*-*-*.whl}"
                ;;
            Installing) say "  unpacking them" ;;
        esac
    done
}

folder=${1:-.venv} requirements=${2:-requirements.txt}
stamp=$folder/.hathi-requirements project=$folder/.hathi-project

if [ ! -x "$folder/bin/python" ]; then
    found=$(python)
    say "Making $folder with $("$found" --version) ..."
    "$found" -m venv "$folder"
fi
pinned=$({ "$folder/bin/python" --version; cat "$requirements"; } | sha256sum)
if [ "$(cat "$stamp" 2>/dev/null)" != "$pinned" ]; then
    say "Fetching what Hathi needs, once:"
    "$folder/bin/python" -m pip install --require-hashes -r "$requirements" |
        progress "$(grep -c '^[a-z0-9].*==' "$requirements")"
    rm -f "$project"
    echo "$pinned" >"$stamp"
fi
if [ ! -e "$project" ] || [ -n "$(find bot cogs sql deploy/hathi.service pyproject.toml README.md LICENSE -newer "$project" -not -path '*/__pycache__*' -print -quit)" ]; then
    say "Installing Hathi ..."
    touch "$project.new"
    "$folder/bin/python" -m pip install --quiet --no-deps --no-build-isolation .
    mv "$project.new" "$project"
fi
