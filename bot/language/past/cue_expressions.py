"""Regular expressions that several tables of cues share; every repetition is bounded."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

WORDS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "w": r"(?:what|which|who|whom|whose|when|where|why|how|what's|who's|where's|when's|how's)",
        "ws": r"(?:what|which|who|whom|whose|when|where|why|how)",
        "few": r"(?:\S+ ){0,3}?",
        "some": r"(?:\S+ ){0,8}?",
        "in": r"(?:[^|? ]+ ){0,9}?",
        "lead": (
            r"\| (?:(?:so|and|but|hey|hi|hello|yo|ok|okay|well|oh|btw|also|then|now|please|wait|sorry|hathi|,) ){0,4}"
        ),
        "adv": (
            r"(?:(?:just|ever|already|also|finally|actually|even|still|really|not|all|once|previously|recently|last"
            r"|specifically|usually|originally|initially|had|have|both|then|again|first) ){0,2}"
        ),
        "say": (
            r"(?:said|told|mentioned|suggested|recommended|explained|described|provided|shared|promised|proposed"
            r"|claimed|listed|noted|wrote|gave|given|sent|showed|shown|taught|advised|warned|brought up|pointed out"
            r"|talked|spoke|spoken|discussed|decided|agreed|announced|asked|consulted|recorded|identified|logged"
            r"|reported|saved|stored|planned|settled|chose|chosen|picked|picked up|came up|concluded|agreed)"
        ),
        "tell": (
            r"(?:say|tell|mention|suggest|recommend|explain|describe|provide|share|promise|propose|list|note|write"
            r"|give|send|show|teach|advise|warn|bring up|point out|talk|speak|discuss|decide|agree|announce|ask|save"
            r"|store|plan|settle|choose|pick|conclude|want|call|refer|set|identify|record|log|remember|think|have|get"
            r"|do|make|use)"
        ),
        "told": (
            r"(?:say|tell|mention|suggest|recommend|explain|describe|provide|share|promise|propose|list|note|write"
            r"|give|send|show|advise|warn|bring up|point out|refer|call|save|store|identify|name)"
        ),
        "talk": r"(?:conversation|chat|discussion|session|meeting|talk|call|exchange|thread|stand-?up|retro|sync)s?",
        "gone": (
            r"(?:yesterday|earlier|previously|the other day|back then|last (?:time|week|month|year|night|session"
            r"|meeting|sprint|quarter|spring|summer|autumn|fall|winter|weekend|monday|tuesday|wednesday|thursday"
            r"|friday|saturday|sunday)|(?:\d+|an?|one|two|three|four|five|six|few|several|couple of) (?:\S+ )?"
            r"(?:minute|hour|day|week|month|year)s? ago|this morning|a while (?:ago|back)|in the past (?:few )?\w+)"
        ),
        "thing": (
            r"(?:bug|issue|outage|incident|deploy|deployment|staging|build|release|pipeline|migration|server|database"
            r"|db|config|cluster|workaround|fix|patch|hotfix|rollback|regression|refactor|branch|repo|endpoint|api key"
            r"|token|credentials|password|passcode|wifi|sprint|standup|stand-up|retro|demo|roadmap|backlog|milestone"
            r"|deadline|invoice|contract|vendor|client|customer|prospect|proposal|meeting|agenda|minutes|onboarding"
            r"|offsite|launch|rollout|feature flag|cron job|job|script|dashboard|alert|monitoring|cache|queue|worker"
            r"|bot|website|landing page|newsletter|campaign|budget|venue|caterer|logo|mascot|playlist|test suite|tests"
            r"|ci|runbook|playbook|ticket|pull request|pr|merge|commit|schema|backup|backups|certificate|domain"
            r"|license|licence|decision|plan|team|call|webhook|integration|prototype|mockup|spec|changelog|version"
            r"|upgrade|downtime|login)"
        ),
        "did": (
            r"(?:fixed|broke|caused|solved|resolved|chose|chosen|picked|approved|rejected|merged|deployed|shipped"
            r"|reverted|wrote|owns|owned|reviewed|reported|filed|opened|closed|changed|renamed|removed|added|set up"
            r"|configured|broken|decided|agreed|happened|blocked|blocks|blocking|failed|crashed|migrated|moved"
            r"|postponed|scheduled|assigned|promised|ordered|booked|paid|signed|cancelled|canceled|handled|handles"
            r"|maintains|volunteered)"
        ),
    }
)
