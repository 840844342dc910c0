import zoneinfo
from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bot.dates import expressions, time_grammar, times

SATURDAY = datetime(2026, 11, 21, 12, tzinfo=UTC)
BERLIN = "Europe/Berlin"

# What is asked in Berlin on Saturday, 21 November 2026, at 13:00; days and hours as they are there.
ASKED = [
    # Days.
    ("what did we say today?", ("today", "2026-11-21", "2026-11-22")),
    ("what did Ann say yesterday", ("yesterday", "2026-11-20", "2026-11-21")),
    ("YESTERDAY", ("YESTERDAY", "2026-11-20", "2026-11-21")),
    ("yesterday's plan", ("yesterday", "2026-11-20", "2026-11-21")),
    ("(yesterday)", ("yesterday", "2026-11-20", "2026-11-21")),
    ("and the day before yesterday?", ("the day before yesterday", "2026-11-19", "2026-11-20")),
    ("what is on tomorrow", ("tomorrow", "2026-11-22", "2026-11-23")),
    ("what is on the day after tomorrow", ("the day after tomorrow", "2026-11-23", "2026-11-24")),
    ("who said so earlier today?", ("earlier today", "2026-11-21", "2026-11-22")),
    ("what is on tonight", ("tonight", "2026-11-21 18:00", "2026-11-22 06:00")),
    ("what happened last night", ("last night", "2026-11-20 18:00", "2026-11-21 06:00")),
    ("what was that this morning", ("this morning", "2026-11-21 05:00", "2026-11-21 12:00")),
    ("what did he say yesterday evening", ("yesterday evening", "2026-11-20 17:00", "2026-11-21")),
    # Weeks, months, years.
    ("what did we decide last week", ("last week", "2026-11-09", "2026-11-16")),
    ("this week", ("this week", "2026-11-16", "2026-11-23")),
    ("next week", ("next week", "2026-11-23", "2026-11-30")),
    ("the week before last", ("week before last", "2026-11-02", "2026-11-09")),
    ("last month", ("last month", "2026-10-01", "2026-11-01")),
    ("this month", ("this month", "2026-11-01", "2026-12-01")),
    ("last year's budget", ("last year", "2025-01-01", "2026-01-01")),
    ("next year", ("next year", "2027-01-01", "2028-01-01")),
    ("last weekend", ("last weekend", "2026-11-14", "2026-11-16")),
    ("this weekend", ("this weekend", "2026-11-21", "2026-11-23")),
    ("over the weekend", ("weekend", "2026-11-21", "2026-11-23")),
    ("last quarter", ("last quarter", "2026-07-01", "2026-10-01")),
    ("in Q3 2025", ("Q3 2025", "2025-07-01", "2025-10-01")),
    # So long ago.
    ("in the last 3 days", ("last 3 days", "2026-11-18", "2026-11-22")),
    ("over the past two weeks", ("past two weeks", "2026-11-07", "2026-11-22")),
    ("in the last few months", ("last few months", "2026-07-21", "2026-11-22")),
    ("during the past week", ("past week", "2026-11-14", "2026-11-22")),
    ("in the last week", ("in the last week", "2026-11-14", "2026-11-22")),
    ("in the last 90m", ("last 90m", "2026-11-21 11:30", "2026-11-21 13:00")),
    ("2h ago", ("2h ago", "2026-11-21 10:00", "2026-11-21 12:00")),
    ("in the last 2 hours", ("last 2 hours", "2026-11-21 11:00", "2026-11-21 13:00")),
    ("what was it 3 days ago?", ("3 days ago", "2026-11-18", "2026-11-19")),
    ("a week ago", ("a week ago", "2026-11-09", "2026-11-16")),
    ("two weeks ago", ("two weeks ago", "2026-11-02", "2026-11-09")),
    ("a couple of weeks ago", ("a couple of weeks ago", "2026-11-02", "2026-11-09")),
    ("a few weeks ago", ("a few weeks ago", "2026-10-19", "2026-11-09")),
    ("5 months ago", ("5 months ago", "2026-06-01", "2026-07-01")),
    ("a year ago", ("a year ago", "2025-01-01", "2026-01-01")),
    ("a year ago today", ("a year ago today", "2025-01-01", "2026-01-01")),
    ("2 hours ago", ("2 hours ago", "2026-11-21 10:00", "2026-11-21 12:00")),
    ("two weeks from now", ("two weeks from now", "2026-11-30", "2026-12-07")),
    ("what did I say recently", ("recently", "2026-11-07", "2026-11-22")),
    ("any news lately?", ("lately", "2026-11-07", "2026-11-22")),
    # Days of the week.
    ("last Tuesday", ("last Tuesday", "2026-11-17", "2026-11-18")),
    ("on Tuesday", ("Tuesday", "2026-11-17", "2026-11-18")),
    ("what did Ann say Thursday?", ("Thursday", "2026-11-19", "2026-11-20")),
    ("on Saturday", ("Saturday", "2026-11-14", "2026-11-15")),
    ("this Saturday", ("this Saturday", "2026-11-21", "2026-11-22")),
    ("this Monday", ("this Monday", "2026-11-16", "2026-11-17")),
    ("next Friday", ("next Friday", "2026-11-27", "2026-11-28")),
    ("what did we eat on sun?", ("sun", "2026-11-15", "2026-11-16")),
    ("on Tuesday morning", ("Tuesday morning", "2026-11-17 05:00", "2026-11-17 12:00")),
    ("on Friday last week", ("Friday last week", "2026-11-13", "2026-11-14")),
    ("last week on Monday", ("last week on Monday", "2026-11-09", "2026-11-10")),
    ("two Saturdays ago", ("two Saturdays ago", "2026-11-07", "2026-11-08")),
    ("letzte Woche Freitag", ("letzte Woche Freitag", "2026-11-13", "2026-11-14")),
    # Months.
    ("what did we decide in May?", ("May", "2026-05-01", "2026-06-01")),
    ("what did we decide in may about tea", ("may", "2026-05-01", "2026-06-01")),
    ("in November", ("November", "2026-11-01", "2026-12-01")),
    ("in December", ("December", "2025-12-01", "2026-01-01")),
    ("September?", ("September", "2026-09-01", "2026-10-01")),
    ("last May", ("last May", "2026-05-01", "2026-06-01")),
    ("last November", ("last November", "2025-11-01", "2025-12-01")),
    ("next May", ("next May", "2027-05-01", "2027-06-01")),
    ("in May 2023", ("May 2023", "2023-05-01", "2023-06-01")),
    ("may 2023", ("may 2023", "2023-05-01", "2023-06-01")),
    ("in May last year", ("May last year", "2025-05-01", "2025-06-01")),
    ("last year in May", ("last year in May", "2025-05-01", "2025-06-01")),
    ("the last week of May", ("May", "2026-05-01", "2026-06-01")),
    ("the first Monday of May", ("May", "2026-05-01", "2026-06-01")),
    ("mid-May", ("mid-May", "2026-05-01", "2026-06-01")),
    # Dates.
    ("May 3", ("May 3", "2026-05-03", "2026-05-04")),
    ("3 May", ("3 May", "2026-05-03", "2026-05-04")),
    ("on 3 december", ("3 december", "2025-12-03", "2025-12-04")),
    ("3rd of May 2023", ("3rd of May 2023", "2023-05-03", "2023-05-04")),
    ("on the 3rd of May", ("the 3rd of May", "2026-05-03", "2026-05-04")),
    ("May 3rd, 2023", ("May 3rd, 2023", "2023-05-03", "2023-05-04")),
    ("Sunday, 3 May 2026", ("Sunday, 3 May 2026", "2026-05-03", "2026-05-04")),
    ("Jan. 5", ("Jan. 5", "2026-01-05", "2026-01-06")),
    ("what did we say on the 3rd?", ("the 3rd", "2026-11-03", "2026-11-04")),
    ("on Tuesday the 3rd", ("Tuesday the 3rd", "2026-11-03", "2026-11-04")),
    ("We met on 3 May. 2024 items came.", ("3 May", "2026-05-03", "2026-05-04")),
    ("3 Sept. 2024.", ("3 Sept. 2024", "2024-09-03", "2024-09-04")),
    ("Tuesday, the 3rd of November", ("Tuesday, the 3rd of November", "2026-11-03", "2026-11-04")),
    ("on the 30th we met", ("the 30th", "2026-10-30", "2026-10-31")),
    ("on the 31st", ("the 31st", "2026-10-31", "2026-11-01")),
    ("2023-05-03", ("2023-05-03", "2023-05-03", "2023-05-04")),
    ("log of 2023-05-03T10:30:00Z", ("2023-05-03T10:30:00Z", "2023-05-03", "2023-05-04")),
    ("03.05.2023", ("03.05.2023", "2023-05-03", "2023-05-04")),
    ("5/13/2023", ("5/13/2023", "2023-05-13", "2023-05-14")),
    ("13/5/2023", ("13/5/2023", "2023-05-13", "2023-05-14")),
    ("5/5/2023", ("5/5/2023", "2023-05-05", "2023-05-06")),
    ("5/3/2023", ("5/3/2023", "2023-03-05", "2023-03-06"), ("5/3/2023", "2023-05-03", "2023-05-04")),
    # Years, seasons, feasts.
    ("in 2022", ("2022", "2022-01-01", "2023-01-01")),
    ("at the end of 2022", ("2022", "2022-01-01", "2023-01-01")),
    ("in the year 2022", ("the year 2022", "2022-01-01", "2023-01-01")),
    ("summer 2022", ("summer 2022", "2022-06-01", "2022-09-01")),
    ("in the summer of 2022", ("summer of 2022", "2022-06-01", "2022-09-01")),
    ("last summer", ("last summer", "2026-06-01", "2026-09-01")),
    ("this winter", ("this winter", "2026-12-01", "2027-03-01")),
    ("last winter", ("last winter", "2025-12-01", "2026-03-01")),
    ("in the fall", ("fall", "2026-09-01", "2026-12-01")),
    ("at Christmas", ("Christmas", "2025-12-24", "2025-12-27")),
    ("Christmas 2022", ("Christmas 2022", "2022-12-24", "2022-12-27")),
    ("last New Year", ("last New Year", "2025-12-31", "2026-01-02")),
    ("on New Year's Eve", ("New Year's Eve", "2025-12-31", "2026-01-01")),
    # From one to the other.
    ("between 3 and 5 May", ("between 3 and 5 May", "2026-05-03", "2026-05-06")),
    ("between the 3rd and the 5th of May", ("between the 3rd and the 5th of May", "2026-05-03", "2026-05-06")),
    ("between May 3 and May 9", ("between May 3 and May 9", "2026-05-03", "2026-05-10")),
    ("May 3-5, 2024", ("May 3-5, 2024", "2024-05-03", "2024-05-06")),
    ("3\u20135 May", ("3\u20135 May", "2026-05-03", "2026-05-06")),
    ("from May to July 2023", ("May to July 2023", "2023-05-01", "2023-08-01")),
    ("from May to July", ("May to July", "2026-05-01", "2026-08-01")),
    ("from march to may", ("march to may", "2026-03-01", "2026-06-01")),
    ("from 28 December to 3 January 2024", ("28 December to 3 January 2024", "2023-12-28", "2024-01-04")),
    ("between 2021 and 2023", ("between 2021 and 2023", "2021-01-01", "2024-01-01")),
    ("from Monday to Wednesday", ("Monday to Wednesday", "2026-11-16", "2026-11-19")),
    ("since 3 May until 5 May", ("3 May until 5 May", "2026-05-03", "2026-05-06")),
    ("after 3 May and before 5 June", ("after 3 May and before 5 June", "2026-05-04", "2026-06-05")),
    ("before 5 June but after 3 May", ("before 5 June but after 3 May", "2026-05-04", "2026-06-05")),
    ("after 3 May or before 5 June", ("after 3 May", "2026-05-04", None), ("before 5 June", None, "2026-06-05")),
    ("after 5 June and before 3 May", ("after 5 June", "2026-06-06", None), ("before 3 May", None, "2026-05-03")),
    ("after 5 June or before 3 May", ("after 5 June", "2026-06-06", None), ("before 3 May", None, "2026-05-03")),
    # Open to one side.
    ("before 3 June", ("before 3 June", None, "2026-06-03")),
    ("before the release on 3 June", ("before the release on 3 June", None, "2026-06-03")),
    ("before we all moved over on 3 June", ("before we all moved over on 3 June", None, "2026-06-03")),
    ("before the meeting last week", ("before the meeting last week", None, "2026-11-16")),
    ("prior to May", ("prior to May", None, "2026-05-01")),
    ("before the day before yesterday", ("before the day before yesterday", None, "2026-11-19")),
    ("after 3 June", ("after 3 June", "2026-06-04", None)),
    ("after the release on 3 June", ("after the release on 3 June", "2026-06-03", None)),
    ("after 2022", ("after 2022", "2023-01-01", None)),
    ("since May", ("since May", "2026-05-01", None)),
    ("since may", ("since may", "2026-05-01", None)),
    ("since last week", ("since last week", "2026-11-09", None)),
    ("since this morning", ("since this morning", "2026-11-21 05:00", None)),
    ("since 3 days", ("since 3 days", "2026-11-18", None)),
    ("since 3 days ago", ("since 3 days ago", "2026-11-18", None)),
    ("by the end of May", ("by the end of May", None, "2027-06-01")),
    ("before the end of May", ("before the end of May", None, "2026-06-01")),
    ("after the end of May", ("after the end of May", "2026-06-01", None)),
    ("until 5 June 2026", ("until 5 June 2026", None, "2026-06-06")),
    ("until the 31st", ("until the 31st", None, "2026-11-01")),
    ("what must be done by Friday", ("by Friday", None, "2026-11-28")),
    ("by 3 June", ("by 3 June", None, "2027-06-04")),
    ("before 5/3/2023", ("before 5/3/2023", None, "2023-03-05"), ("before 5/3/2023", None, "2023-05-03")),
    # Of the day, as an end of a time alone: the latest there was, or today's.
    ("what did I miss since 11:00?", ("since 11:00", "2026-11-21 11:00", None)),
    ("since 14:30", ("since 14:30", "2026-11-20 14:30", None)),
    ("after 3pm yesterday", ("after 3pm yesterday", "2026-11-20 15:00", None)),
    ("since yesterday at 12 am", ("since yesterday at 12 am", "2026-11-20", None)),
    ("since Friday, 9:15", ("since Friday, 9:15", "2026-11-20 09:15", None)),
    ("since 11 o'clock on Thursday", ("since 11 o'clock on Thursday", "2026-11-19 11:00", None)),
    ("since noon", ("since noon", "2026-11-21 12:00", None)),
    ("before 15:00", ("before 15:00", None, "2026-11-21 15:00")),
    ("between 9:00 and 11:00", ("between 9:00 and 11:00", "2026-11-21 09:00", "2026-11-21 11:00")),
    ("from 22:00 to 2:00", ("22:00 to 2:00", "2026-11-20 22:00", "2026-11-21 02:00")),
    ("from 9am to 11am yesterday", ("9am to 11am yesterday", "2026-11-20 09:00", "2026-11-20 11:00")),
    ("after 9:00 and before 11:00", ("after 9:00 and before 11:00", "2026-11-21 09:00", "2026-11-21 11:00")),
    ("the train on Friday at 9:15", ("Friday", "2026-11-20", "2026-11-21")),
    # The word belongs to something else.
    ("said by Ann on 3 June", ("3 June", "2026-06-03", "2026-06-04")),
    ("after lunch, what did we decide yesterday?", ("yesterday", "2026-11-20", "2026-11-21")),
    ("after you asked what did we decide yesterday", ("yesterday", "2026-11-20", "2026-11-21")),
    ("before one two three four five six on 3 June", ("3 June", "2026-06-03", "2026-06-04")),
    # Several.
    ("on 2 May or 3 May", ("2 May", "2026-05-02", "2026-05-03"), ("3 May", "2026-05-03", "2026-05-04")),
    ("in March or May", ("March", "2026-03-01", "2026-04-01"), ("May", "2026-05-01", "2026-06-01")),
    ("today, I mean today", ("today", "2026-11-21", "2026-11-22")),
    # German.
    ("was haben wir gestern gesagt?", ("gestern", "2026-11-20", "2026-11-21")),
    ("VORGESTERN", ("VORGESTERN", "2026-11-19", "2026-11-20")),
    ("was ist \u00fcbermorgen", ("\u00fcbermorgen", "2026-11-23", "2026-11-24")),
    ("heute Morgen", ("heute Morgen", "2026-11-21 05:00", "2026-11-21 12:00")),
    ("letzte Nacht", ("letzte Nacht", "2026-11-20 18:00", "2026-11-21 06:00")),
    ("letzte Woche", ("letzte Woche", "2026-11-09", "2026-11-16")),
    ("vorletzte Woche", ("vorletzte Woche", "2026-11-02", "2026-11-09")),
    ("n\u00e4chstes Jahr", ("n\u00e4chstes Jahr", "2027-01-01", "2028-01-01")),
    ("in den letzten 3 Wochen", ("letzten 3 Wochen", "2026-10-31", "2026-11-22")),
    ("vor 3 Tagen", ("vor 3 Tagen", "2026-11-18", "2026-11-19")),
    ("vor einer Woche", ("vor einer Woche", "2026-11-09", "2026-11-16")),
    ("neulich", ("neulich", "2026-11-07", "2026-11-22")),
    ("am Montag", ("Montag", "2026-11-16", "2026-11-17")),
    ("letzten Dienstag", ("letzten Dienstag", "2026-11-17", "2026-11-18")),
    ("im Mai", ("Mai", "2026-05-01", "2026-06-01")),
    ("im M\u00c4RZ 2023", ("M\u00c4RZ 2023", "2023-03-01", "2023-04-01")),
    ("letztes Jahr im Mai", ("letztes Jahr im Mai", "2025-05-01", "2025-06-01")),
    ("am 3. Juni", ("3. Juni", "2026-06-03", "2026-06-04")),
    ("am 3.", ("am 3.", "2026-11-03", "2026-11-04")),
    ("am 3.6.", ("am 3.6.", "2026-06-03", "2026-06-04")),
    ("am 3.6.2023", ("3.6.2023", "2023-06-03", "2023-06-04")),
    ("im Jahr 2022", ("Jahr 2022", "2022-01-01", "2023-01-01")),
    ("im Sommer 2022", ("Sommer 2022", "2022-06-01", "2022-09-01")),
    ("an Weihnachten", ("Weihnachten", "2025-12-24", "2025-12-27")),
    ("zwischen dem 3. und 5. Mai 2024", ("zwischen dem 3. und 5. Mai 2024", "2024-05-03", "2024-05-06")),
    ("von Mai bis Juli", ("Mai bis Juli", "2026-05-01", "2026-08-01")),
    ("seit gestern", ("seit gestern", "2026-11-20", None)),
    ("seit gestern um 9:30", ("seit gestern um 9:30", "2026-11-20 09:30", None)),
    ("seit 11 Uhr", ("seit 11 Uhr", "2026-11-21 11:00", None)),
    ("seit 3 Tagen", ("seit 3 Tagen", "2026-11-18", None)),
    ("bis Freitag", ("bis Freitag", None, "2026-11-21")),
    ("vor der Ver\u00f6ffentlichung am 3. Juni", ("vor der Ver\u00f6ffentlichung am 3. Juni", None, "2026-06-03")),
]

# Any moment and zone; the spans in UTC.
ELSEWHERE = [
    # The same moment is another day to the west and to the east.
    ("today", "2026-03-01T02:00", "America/Los_Angeles", "2026-02-28T08:00", "2026-03-01T08:00"),
    ("today", "2026-03-01T20:00", "Asia/Tokyo", "2026-03-01T15:00", "2026-03-02T15:00"),
    ("yesterday", "2026-03-01T20:00", "Pacific/Kiritimati", "2026-02-28T10:00", "2026-03-01T10:00"),
    ("today", "2026-03-01T20:00", "Asia/Kathmandu", "2026-03-01T18:15", "2026-03-02T18:15"),
    ("last month", "2026-03-01T02:00", "America/Los_Angeles", "2026-01-01T08:00", "2026-02-01T08:00"),
    ("last month", "2026-03-01T02:00", "UTC", "2026-02-01T00:00", "2026-03-01T00:00"),
    # No such zone: UTC.
    ("today", "2026-03-01T20:00", "Atlantis/Capital", "2026-03-01T00:00", "2026-03-02T00:00"),
    ("today", "2026-03-01T20:00", "", "2026-03-01T00:00", "2026-03-02T00:00"),
    ("today", "2026-03-01T20:00", "../../etc/passwd", "2026-03-01T00:00", "2026-03-02T00:00"),
    ("today", "2026-03-01T20:00", "UTC\0", "2026-03-01T00:00", "2026-03-02T00:00"),
    # The day the clocks change has 23 or 25 hours.
    ("today", "2026-03-29T12:00", BERLIN, "2026-03-28T23:00", "2026-03-29T22:00"),
    ("today", "2026-10-25T12:00", BERLIN, "2026-10-24T22:00", "2026-10-25T23:00"),
    ("last night", "2026-03-29T12:00", BERLIN, "2026-03-28T17:00", "2026-03-29T04:00"),
    ("in March", "2026-06-01T12:00", BERLIN, "2026-02-28T23:00", "2026-03-31T22:00"),
    ("last week", "2026-11-04T12:00", "America/New_York", "2026-10-26T04:00", "2026-11-02T05:00"),
    ("2 hours ago", "2026-10-25T01:30", BERLIN, "2026-10-24T22:30", "2026-10-25T00:30"),
    # There the clocks skip midnight, or have it twice.
    ("on 4 November 2018", "2026-06-01T12:00", "America/Sao_Paulo", "2018-11-04T03:00", "2018-11-05T02:00"),
    ("on 3 November 2018", "2026-06-01T12:00", "America/Sao_Paulo", "2018-11-03T03:00", "2018-11-04T03:00"),
    ("on 1 November 2026", "2026-12-01T12:00", "America/Havana", "2026-11-01T04:00", "2026-11-02T05:00"),
    # Leap days.
    ("on 29 February", "2026-06-01T12:00", "UTC", "2024-02-29T00:00", "2024-03-01T00:00"),
    ("29 February 2024", "2026-06-01T12:00", "UTC", "2024-02-29T00:00", "2024-03-01T00:00"),
    ("today", "2028-02-29T12:00", "UTC", "2028-02-29T00:00", "2028-03-01T00:00"),
    ("in the last 2 years", "2028-02-29T12:00", "UTC", "2026-02-28T00:00", "2028-03-01T00:00"),
    ("in the last 1 month", "2026-03-31T12:00", "UTC", "2026-02-28T00:00", "2026-04-01T00:00"),
    ("on 29 February", "1903-06-01T12:00", "UTC", "1896-02-29T00:00", "1896-03-01T00:00"),
    ("on the 29th", "2026-03-05T12:00", "UTC", "2026-01-29T00:00", "2026-01-30T00:00"),
    # Ends of years.
    ("last week", "2026-01-01T12:00", "UTC", "2025-12-22T00:00", "2025-12-29T00:00"),
    ("this week", "2026-01-01T12:00", "UTC", "2025-12-29T00:00", "2026-01-05T00:00"),
    ("last month", "2026-01-01T12:00", "UTC", "2025-12-01T00:00", "2026-01-01T00:00"),
    ("last quarter", "2026-01-01T12:00", "UTC", "2025-10-01T00:00", "2026-01-01T00:00"),
    ("yesterday", "2026-01-01T12:00", "UTC", "2025-12-31T00:00", "2026-01-01T00:00"),
    ("in December", "2026-12-01T00:00", "UTC", "2026-12-01T00:00", "2027-01-01T00:00"),
    ("in December", "2026-11-30T23:59", "UTC", "2025-12-01T00:00", "2026-01-01T00:00"),
    ("in December", "2026-11-30T23:59", BERLIN, "2026-11-30T23:00", "2026-12-31T23:00"),
    ("this winter", "2027-01-15T12:00", "UTC", "2026-12-01T00:00", "2027-03-01T00:00"),
    ("last summer", "2026-07-15T12:00", "UTC", "2025-06-01T00:00", "2025-09-01T00:00"),
    ("this summer", "2026-07-15T12:00", "UTC", "2026-06-01T00:00", "2026-09-01T00:00"),
    ("last May", "2026-05-10T12:00", "UTC", "2025-05-01T00:00", "2025-06-01T00:00"),
    ("in May", "2026-05-10T12:00", "UTC", "2026-05-01T00:00", "2026-06-01T00:00"),
    ("from November to March", "2026-01-10T12:00", "UTC", "2025-11-01T00:00", "2026-04-01T00:00"),
    ("on New Year's Day", "2026-01-01T12:00", "UTC", "2026-01-01T00:00", "2026-01-02T00:00"),
    ("New Year 2023", "2026-01-01T12:00", "UTC", "2022-12-31T00:00", "2023-01-02T00:00"),
    # Sunday is the last day of its week.
    ("last week", "2026-11-22T12:00", "UTC", "2026-11-09T00:00", "2026-11-16T00:00"),
    ("last weekend", "2026-11-22T12:00", "UTC", "2026-11-14T00:00", "2026-11-16T00:00"),
    ("on Sunday", "2026-11-22T12:00", "UTC", "2026-11-15T00:00", "2026-11-16T00:00"),
    ("by Sunday", "2026-11-22T12:00", "UTC", None, "2026-11-23T00:00"),
]

NO_TIMES = [
    "",
    "what is the plan?",
    "may I ask you something?",
    "May I ask you something?",
    "this may be wrong",
    "the role you're in may change",
    "these 3 may fail",
    "may 3 people join?",
    "march on",
    "we plan to march",
    "the march of the ants",
    "sat on the sun",
    "the sun is hot",
    "we sat down",
    "April said hello",
    "talk to June",
    "on June's birthday",
    "an august body",
    "Mai said hello",
    "top 5",
    "the top 3 may change",
    "version 2.0",
    "v1.2.2023",
    "192.168.10.10",
    "#2023",
    "<#20230503>",
    "at 10:30",
    "the train from 9:15 to Leeds",
    "since 25:00",
    "after 3 tries",
    "2023 items",
    "in 2023 items",
    "2023",
    "the 2022 roadmap",
    "who spent $2000?",
    "a total of 2000",
    "up to 2000",
    "increased by 2000",
    "between 2000 and 3000 people",
    "5/3",
    "we met between 9 and 10",
    "https://example.com/2023-05-03/today",
    "notes-2023-05-03.txt",
    "on the 3rd floor",
    "on the 2nd attempt",
    "the 3rd one",
    "every Monday",
    "on Mondays",
    "on a Monday",
    "the Monday group",
    "the Christmas party",
    "last Christmas party",
    "happy new year!",
    "fall down",
    "what do you know about March Madness",
    "Q3",
    "I am 3.",
    "what is in 3.",
    "the next day",
    "last time",
    "the last one",
    "last minute changes",
    "the last 5 messages",
    "ages ago",
    "half a year ago",
    "before it snowed",
    "before lunch",
    "after that",
    "since when?",
    "until then",
    "by the way",
    "before I forget",
    "guten Morgen",
    "am Morgen",
    "jeden Montag",
    "am 3. Tag",
    "vor dem Haus",
    "seit wann?",
    "today.example.com",
    "@today",
]

WRONG = [
    ("what happened on 30 February?", ("30 February",)),
    ("30 February 2023", ("30 February 2023",)),
    ("February 30th", ("February 30th",)),
    ("29 February 2023", ("29 February 2023",)),
    ("29 February 1900", ("29 February 1900",)),
    ("on 31 April", ("31 April",)),
    ("on the 32nd", ("the 32nd",)),
    ("32 May", ("32 May",)),
    ("2023-13-01", ("2023-13-01",)),
    ("2023-02-29", ("2023-02-29",)),
    ("2023-00-10", ("2023-00-10",)),
    ("31.04.2023", ("31.04.2023",)),
    ("31/31/2023", ("31/31/2023",)),
    ("before the release on 30 February", ("30 February",)),
    ("from 3 May to 30 February", ("30 February",)),
    ("between 28 and 30 February", ("28 and 30 February",)),
    ("am 31. April", ("31. April",)),
    ("am 30.2.", ("am 30.2.",)),
    ("2023-13-01 or 2023-13-01", ("2023-13-01",)),
    ("2023-13-01 or 2023-14-01", ("2023-13-01", "2023-14-01")),
]

ASKS_WHEN = [
    "when did we meet?",
    "When's the demo?",
    "when exactly did Ann say that",
    "tell me when we decided that",
    "do you remember when we decided that?",
    "you moved house when?",
    "how long ago did we decide that?",
    "how many weeks ago was it",
    "since when do we use Postgres?",
    "by when is it due",
    "what day was the launch?",
    "what was the date of the launch",
    "which month did we start",
    "what year did Bob join",
    "what time is the demo?",
    "wann war das?",
    "seit wann nutzen wir das",
    "an welchem Tag war die Feier?",
    "wie lange ist das her?",
]

NOT_WHEN = [
    "",
    "what did he say when we met?",
    "when we met, what did Ann say?",
    "call me whenever",
    "how long is the film?",
    "what did we decide yesterday?",
    "dann und wann kommt er vorbei",
    "save the date",
    "Wanne",
]


def read(text: str, as_of: datetime = SATURDAY, zone: str = BERLIN) -> times.Times:
    return times.read(text, as_of=as_of, zone=zone)


def there(local: str | None) -> datetime | None:
    """A time of day in Berlin, in UTC."""
    return datetime.fromisoformat(local).replace(tzinfo=zoneinfo.ZoneInfo(BERLIN)).astimezone(UTC) if local else None


def utc(moment: str | None) -> datetime | None:
    return datetime.fromisoformat(moment).replace(tzinfo=UTC) if moment else None


@pytest.mark.parametrize(("text", "spans"), [(text, spans) for text, *spans in ASKED])
def test_times_are_read_from_the_day_they_are_asked(text: str, spans: list[tuple[str, str | None, str | None]]):
    """A time is read by the calendar of the zone, from the moment of asking, with its own words."""
    expected = tuple(times.Span(words=words, start=there(start), end=there(end)) for words, start, end in spans)

    assert expected == read(text).spans


@pytest.mark.parametrize(("text", "as_of", "zone", "start", "end"), ELSEWHERE)
def test_days_are_those_of_the_zone(text: str, as_of: str, zone: str, start: str | None, end: str | None):
    """Days begin and end as the clocks of the zone say, across changes of the clock, leap days and ends of years."""
    asked = datetime.fromisoformat(as_of).replace(tzinfo=UTC)

    assert [(utc(start), utc(end))] == [(span.start, span.end) for span in read(text, asked, zone).spans]


def test_the_moment_may_come_in_any_zone():
    """The same moment, written in another zone, reads the same, and spans are in UTC."""
    elsewhere = SATURDAY.astimezone(zoneinfo.ZoneInfo("Asia/Tokyo"))
    (span,) = read("yesterday", elsewhere).spans

    assert read("yesterday").spans == (span,)
    assert [UTC, UTC] == [limit.tzinfo for limit in (span.start, span.end) if limit]


@pytest.mark.parametrize(
    ("text", "start"),
    [
        ("2h", "2026-11-21 11:00"),
        ("90 minutes", "2026-11-21 11:30"),
        ("last hour", "2026-11-21 12:00"),
        ("2 Stunden", "2026-11-21 11:00"),
        ("yesterday", "2026-11-20"),
        ("2h of rain", None),
        ("the party", None),
    ],
)
def test_where_a_time_is_asked_for_so_long_is_up_to_now(text: str, start: str | None):
    """A bare duration is the last so long, and names no time in a sentence; what names one is read as ever."""
    spans = times.read_alone(text, as_of=SATURDAY, zone=BERLIN).spans

    assert [there(start)] * len(spans) == [span.start for span in spans]
    assert (start is not None) == bool(spans)
    assert () == read(f"it took {text}").spans or spans == read(text).spans


@pytest.mark.parametrize(
    ("text", "last", "coming"),
    [
        ("on Sunday", "2026-11-15", "2026-11-22"),
        ("on Saturday", "2026-11-14", "2026-11-28"),
        ("at the weekend", "2026-11-21", "2026-11-21"),
        ("on 3 December", "2025-12-03", "2026-12-03"),
        ("am 3.12.", "2025-12-03", "2026-12-03"),
        ("am Dienstag", "2026-11-17", "2026-11-24"),
        ("on the 5th", "2026-11-05", "2026-12-05"),
        ("in May", "2026-05-01", "2027-05-01"),
        ("on 21 November", "2026-11-21", "2026-11-21"),
        ("last Sunday", "2026-11-15", "2026-11-15"),
        ("next Sunday", "2026-11-22", "2026-11-22"),
        ("in May 2024", "2024-05-01", "2024-05-01"),
    ],
)
def test_looking_ahead_what_names_no_year_or_week_is_the_next(text: str, last: str, coming: str):
    """What names one is the same either way."""
    found = [times.read(text, as_of=SATURDAY, zone=BERLIN, is_ahead=ahead).spans[0].start for ahead in (False, True)]

    assert [there(last), there(coming)] == found


@pytest.mark.parametrize("text", NO_TIMES)
def test_what_is_no_time_is_none(text: str):
    """Ordinary words, numbers that are no dates, links and names of things name no time."""
    assert ((), ()) == (read(text).spans, read(text).wrong)


@pytest.mark.parametrize(("text", "wrong"), WRONG)
def test_a_date_that_does_not_exist_is_told(text: str, wrong: tuple[str, ...]):
    """A date that no calendar has is given as it was written, and makes no span."""
    assert (wrong, ()) == (read(text).wrong, read(text).spans)


def test_a_day_the_zone_skipped_does_not_exist_there():
    """Samoa went from 29 to 31 December 2011: the 30th is no date there, and one elsewhere."""
    there = read("on 30 December 2011", zone="Pacific/Apia")

    assert (("30 December 2011",), ()) == (there.wrong, there.spans)
    assert () == read("on 30 December 2011").wrong


@pytest.mark.parametrize("text", ASKS_WHEN)
def test_a_question_for_the_time_is_one(text: str):
    """Asking when, how long ago or on what day is told."""
    assert read(text).asks_when


@pytest.mark.parametrize("text", NOT_WHEN)
def test_when_is_not_always_a_question(text: str):
    """A "when" that only joins sentences, and other questions, do not ask for a time."""
    assert not read(text).asks_when


@pytest.mark.parametrize("grammar", time_grammar.grammars())
def test_a_language_is_a_table(grammar: time_grammar.TimeGrammar):
    """Every form of every language names a rule, and every rule is used by some form."""
    rules = {rule for rule, *_ in grammar.forms}

    assert set() == rules - expressions.RULES.keys()
    assert expressions.RULES.keys() == {rule for each in time_grammar.grammars() for rule, *_ in each.forms}


def test_white_space_and_curly_quotes_do_not_matter():
    """Line breaks, wide blanks and typographic quotes read as plain ones, and words come with single blanks."""
    assert read("on New Year's Eve").spans == read("on\u00a0New \n Year\u2019s\t Eve").spans
    assert ("last week",) == tuple(span.words for span in read("last \n week").spans)


def test_capitals_without_a_small_letter_keep_words_in_place():
    """Letters whose small form is longer, and letters that look like others, do not shift or break the reading."""
    assert ("last week",) == tuple(span.words for span in read("\u0130\u0130\u0130 last week").spans)
    assert () == read("\u017funday la\u017ft wee\u212a in \u017feptember").spans


def test_at_most_eight_are_kept():
    """Of many times, and of many dates that do not exist, the first eight are kept."""
    many = read(", ".join(f"2023-05-{day:02}" for day in range(1, 20)))
    wrong = read(", ".join(f"2023-13-{day:02}" for day in range(1, 20)))

    assert [f"2023-05-0{day}" for day in range(1, times.MOST + 1)] == [span.words for span in many.spans]
    assert 8 == times.MOST == len(wrong.wrong)


def test_only_the_first_four_thousand_characters_are_read():
    """What stands behind the longest message there is is not read."""
    assert () == read("x" * 4_000 + " yesterday").spans
    assert 1 == len(read("x" * 3_990 + " yesterday").spans)


@pytest.mark.parametrize(
    ("text", "most"),
    [
        ("3 may " * 700, 1),
        ("3 May " * 700, 1),
        (" ".join(f"{day} May {year}" for year in range(1990, 2020) for day in range(1, 28)), 8),
        ("7" * 4_000, 0),
        ("7 " * 2_000, 0),
        ("2023-" * 800, 0),
        ("12/" * 1_300, 0),
        ("before " * 600, 0),
        ("before before before before 3 May " * 120, 8),
        ("between 3 and " * 300, 0),
        ("last " * 800, 0),
        ("a couple of " * 330, 0),
        ("on the 3rd" + "!" * 3_900, 1),
        ("wie lange ist " * 280, 0),
        ("since 11:00 until " * 220, 8),
    ],
)
def test_long_texts_are_read_and_bounded(text: str, most: int):
    """Texts made of nothing but openings are read to the end and keep at most eight times."""
    assert most >= len(read(text).spans)


FRAGMENTS = [
    *(text for text, *_ in ASKED),
    *(text for text, *_ in ELSEWHERE),
    *NO_TIMES,
    *(text for text, _ in WRONG),
    *("1000-01-01", "8999-12-31", "9999 years ago", "9999 years from now", "9999 weeks ago", "in the last 9999 years"),
    *("before", "after", "since", "until", "by", "from", "to", "and", "between", "vor", "nach", "seit", "bis", "und"),
    *(",", ".", "-", "\u2013", "May", "3", "3rd", "the", "2023", "Monday", "last", "this", "\u0130", "\ud800", "\0"),
]

MOMENTS = st.integers(-20 * 365 * 24 * 60, 180 * 365 * 24 * 60).map(
    lambda minutes: datetime(1970, 1, 1, tzinfo=UTC) + timedelta(minutes=minutes)
)
ZONES = st.sampled_from(
    [BERLIN, "UTC", "Pacific/Apia", "Pacific/Kiritimati", "America/Sao_Paulo", "Asia/Kathmandu", "?"]
)
TEXTS = st.one_of(
    st.text(max_size=200),
    st.lists(st.sampled_from(FRAGMENTS), max_size=8).map(" ".join),
    st.text("3.5/-2014may ", max_size=60),
)


@given(TEXTS, MOMENTS, ZONES)
@settings(max_examples=1_000)
def test_any_text_is_read(text: str, as_of: datetime, zone: str):
    """Any text is read at any time anywhere: spans run forward, are aware, bounded in number and words of the text."""
    found = read(text, as_of, zone)

    assert times.MOST >= max(len(found.spans), len(found.wrong))
    assert len(found.spans) == len({(span.start, span.end) for span in found.spans})
    for span in found.spans:
        assert span.start or span.end
        assert not span.start or not span.end or span.start < span.end
        assert all(limit.utcoffset() == timedelta(0) for limit in (span.start, span.end) if limit)
    plain = " ".join(text.replace("\u2019", "'").split())
    assert all(words in plain for words in (*(span.words for span in found.spans), *found.wrong))


@given(st.dates(date(1000, 1, 2), date(2099, 12, 30)), ZONES)
@settings(max_examples=200)
def test_a_date_reads_the_same_however_it_is_written(day: date, zone: str):
    """One date is one span in every way of writing it in full."""
    written = [
        f"{day:%Y-%m-%d}",
        f"{day.day}.{day.month}.{day:%Y}",
        f"{day.day} {day:%B} {day:%Y}",
        f"{day:%B} {day.day}, {day:%Y}",
        f"{day:%b} {day.day} {day:%Y}",
    ]
    spans = [[(span.start, span.end) for span in read(text, zone=zone).spans] for text in written]

    assert [spans[0]] * len(spans) == spans


def test_the_first_times_of_a_text_are_read():
    """Of a text that names times over and over the first are read, and those are read as in any other text."""
    assert read("on 3 May 2024").spans == read("on 3 May 2024 and " * 200).spans
