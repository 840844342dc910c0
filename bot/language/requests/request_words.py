"""The words of plain-language requests, by their role in the request and by language.

Words are written in lower case, without apostrophes; `_` stands for a blank within a set phrase. A word may have
several roles. Words in no row are content.
"""

from enum import StrEnum
from typing import Final

from bot.text import patterns


class WordKind(StrEnum):
    """The roles of words in a request."""

    SOFT = "soft"
    """Greeting, courtesy, a name for whoever listens, or an adverb: changes nothing."""
    YOU = "you"
    I = "i"  # noqa: E741
    ME = "me"
    ASK = "ask"
    """Asks for what follows: `could`."""
    WISH = "wish"
    """Wants what follows: `make sure`."""
    GLUE = "glue"
    """Joins the others."""
    NOT = "not"
    KEEP = "keep"
    """A verb that speaks of memory, whatever follows."""
    FILE = "file"
    """A verb that does so where it is told what, or where to."""
    PUT = "put"
    """The same where it is put somewhere it is kept."""
    AWAY = "away"
    KNOW = "know"
    """The same where it is wished for; alone it is not asked to keep anything."""
    HEADING = "heading"
    """Stands above what is to be kept: `note to self`."""
    FORGET = "forget"
    DELETE = "delete"
    """A verb that may speak of anything."""
    VOID = "void"
    """The same where it is said of memory."""
    TAKE = "take"
    """The same where it goes on with `off`."""
    OFF = "off"
    GONE = "gone"
    THAT = "that"
    TO = "to"
    """Joins a verb to what it is about."""
    POINT = "point"
    MEMORY = "memory"
    AFTER = "after"
    """Follows a verb of keeping and is no part of what is kept."""
    MANY = "many"
    """Says that several things are meant."""
    PURPOSE = "purpose"
    """Begins what something is kept for: `save that for the quiz`."""
    ALL = "all"
    STUFF = "stuff"
    TOLD = "told"
    ABOUT = "about"
    THE = "the"
    MY = "my"
    LAST = "last"
    TALK = "talk"
    WHERE = "where"
    """What a memory is of: a place."""
    TIME = "time"
    WHAT = "what"
    STORED = "stored"
    """Says that something is remembered."""
    SHOW = "show"
    BE = "be"
    CHEER = "cheer"
    """Has a verb of keeping, and keeps nothing: `keep it up`."""
    REMARK = "remark"
    """Begins a remark after what is to go: `forget my size, it's wrong`."""
    NUMBER = "number"
    """Stands beside the numbers of memories."""
    NUMBERED = "numbered"
    """Says that a number is that of a memory."""
    RECALL = "recall"
    """A verb of keeping that may also ask what is known: `can you remember my name?`."""
    REMIND = "remind"
    """A verb of keeping where it says to do what, or that what is so; else it asks."""
    IS = "is"
    """A verb before which "that" is the thing itself: `remember that is a bad idea`."""
    SAYS = "says"
    """Says what something is: `my size is 44`."""
    WITH = "with"
    """May stand between a verb and the thing, and is no part of it; what else does may be who it is about."""
    DOWN = "down"
    """A verb of filing for what is said after it: `write down Kim has the tent`."""
    BEGINS = "begins"
    """Begins what is to go, and is no part of it."""
    INTO = "into"
    TOPIC = "topic"
    """Stands before what was spoken of, a time too: `what I said about friday`."""
    CONDITION = "condition"
    """Begins a clause that what follows it depends on."""
    JOINT = "joint"
    """Begins a clause."""
    REASON = "reason"
    AHEAD = "ahead"
    """Points at what follows, and at nothing else."""
    REMEMBERED = "remembered"
    """Says that memory is spoken of."""
    KEPT = "kept"
    """Says that something is remembered, by whomever."""
    HAVE = "have"
    ONE = "one"
    """Says that one thing is meant."""
    OTHER = "other"
    """Who must be known from what was said before."""
    ARTICLE = "article"
    IT = "it"
    LOSE = "lose"
    """A verb of deleting that keeps where it is negated: `don't lose that`."""
    ONE_THING = "one thing"
    """Opens a question for one thing, or for yes or no; never for all that is remembered."""
    SELF = "self"
    """Of whom everything is meant: `forget me`, `reset yourself`."""
    LIST = "list"
    INDEFINITE = "indefinite"


_V: Final = patterns.vocabulary

ENGLISH: Final = {
    WordKind.SOFT: _V(
        """
        please pls plz plse kindly hey hi hello hiya heya yo dear bot botty hathi oh ok okay k so and also right
        alright well thanks thank_you thx ty cheers great cool perfect nice btw by_the_way just really actually maybe
        perhaps possibly quickly always ever then now good_morning good_afternoon good_evening yes yeah yep guys folks
        team all everyone everybody n & lol haha sorry wait no oops hm um in_that_case on_second_thought go_ahead_and
        go_ahead important dare listen lemme uh er erm going_forward once_and_for_all one_by_one from_here_on
        before_i_forget i_lost_track people_keep_asking honestly basically obviously partner bro sir maam my_dear
        sweetie love when_i_ask next_time_i_ask in_case in_case_i_ask heads_up fyi pretty super quick real_quick
        simply still again too as_well ok_so do_me_a_favor do_me_a_favour my_friend friend buddy mate pal man dude
        definitely absolutely seriously immediately completely entirely permanently forever for_good right_away
        at_once asap first careful carefully anymore any_more ever_again no_more start_over start_from_zero
        start_again start_fresh start_anew from_scratch from_zero nvm never_mind nevermind yea yup sure of_course
        gonna when_you_can when_you_get_a_chance if_you_can if_possible one_more_thing another_thing if_you_would
        if_you_dont_mind
        """
    ),
    WordKind.YOU: _V("you u ya youd youll youve youre urself yourself"),
    WordKind.I: _V("i we im ive id ill weve wed well_have iam he she they it_is someone somebody"),
    WordKind.ME: _V("me us myself ourselves him her them"),
    WordKind.ASK: _V(
        """
        can could would will wont cant couldnt wouldnt may might can_we could_we would_you_mind do_you_mind
        is_it_possible would_it_be_possible any_chance any_way how_about what_if is_there_any_chance can_i_ask
        can_i_get could_i_ask could_i_get can_i_have may_i_ask
        """
    ),
    WordKind.WISH: _V(
        """
        want need like love wish appreciate prefer expect must should have_to need_to ought better want_to make_sure
        be_sure wanna mind_you mind lets let_us help try feel_free grateful glad happy helpful handy asking telling
        think makes make sense hope request beg urge trust suggest recommend ask going needs someone be_so_kind
        so_kind had supposed let please_do do_please be_good be_great be_cool be_nice be_lovely good_if great_if
        cool_if nice_if lovely_if helpful_if glad_if best_if appreciated_if
        """
    ),
    WordKind.GLUE: _V(
        """
        to it its itd if that thats be is as the a an of for so_that good kind enough possible way able new another
        one more this some thing things something smth smthg sth and fact facts point points few two three four five
        did do had in here heres are from been
        """
    ),
    WordKind.NOT: _V("dont do_not didnt did_not doesnt not never no_longer stop quit no_need no_need_to neednt"),
    WordKind.KEEP: _V(
        """
        keep_in_mind bear_in_mind keeping_in_mind bearing_in_mind
        keep_in_your_mind make_a_note take_a_note make_note take_note make_a_mental_note make_a_quick_note keep_a_note
        take_a_quick_note make_a_memo leave_a_note remind_yourself keep_a_record have_it_on_record put_it_on_record
        put_on_record keep_track keeping_track keep_tabs keeping_tabs kept_in_mind take_this_down take_that_down
        hold_in_mind get_this_down add_a_memory add_a_note create_a_memory make_a_memory save_a_memory store_a_memory
        keep_hold_of keep_a_hold_of make_a_mental_note_of keep_a_mental_note have_on_record keep_a_log know_and_remember
        know_and_keep_in_mind
        keep_this_between_your_ears lock_this_in lock_it_in lock_that_in get_it_noted get_this_noted let_it_be_noted
        update_your_memory update_ur_memory update_your_notes update_your_records one_for_the_memory_bank
        one_for_the_notes one_for_the_books one_for_the_record dont_lose_sight_of keep_sight_of
        """
    ),
    WordKind.CHEER: _V(
        """
        keep_it_up keep_this_up keep_that_up keep_em_up keep_up keep_going keep_it_going keep_at_it keep_it_real
        keep_pushing keep_smiling keep_fighting keep_calm keep_cool keep_moving keep_on keep_dreaming keep_shining
        keep_rocking keep_trying keep_growing keep_learning keep_working keep_writing keep_dancing keep_doing
        """
    ),
    WordKind.FILE: _V(
        """
        save saving store storing keep keeping note noting jot log record file archive bookmark hold_on_to hold_onto
        hang_on_to hang_onto holding_on_to hanging_on_to track pin document learn mark_down note_down jot_down
        write_down noting_down writing_down jotting_down put_down retain preserve memo capture take_down
        """
    ),
    WordKind.PUT: _V(
        """
        write put add commit stick tuck stash stow enter pop scribble bank set lay place squirrel get lock
        """
    ),
    WordKind.AWAY: _V(
        """
        memory memories notes brain head mind record records memory_bank archive notebook entries
        away aside down somewhere on_file on_record reminders to_your_list for_later
        your_database ur_database the_bots_database hathis_database in_the_database into_the_database to_the_database
        """
    ),
    WordKind.KNOW: _V("know knew be_aware be_told known"),
    WordKind.HEADING: _V(
        """
        note_to_self memo memos note_to_myself note_for_self note_to_the_bot note_for_later note_for_you
        note_for_the_bot reminder reminder_to_self note_for_me note_for_myself note_to_you notes_to_self
        for_the_record for_future_reference for_reference for_your_memory for_your_notes for_your_records for_later
        for_the_notes for_the_future fyi_for_later so_its_on_record so_its_written_somewhere so_its_written_down
        so_its_saved_somewhere so_its_noted so_we_dont_forget so_i_dont_forget so_you_know_later so_nobody_forgets
        lest_we_forget note_for_the_record for_the_archive for_the_archives so_its_saved so_it_doesnt_get_lost
        thing_to_remember things_to_remember
        something_to_remember worth_remembering worth_noting worth_keeping so_this_doesnt_get_lost
        sure_this_doesnt_get_lost sure_it_doesnt_get_lost make_sure_this_doesnt_get_lost make_sure_this_isnt_lost
        so_its_not_lost
        """
    ),
    WordKind.FORGET: _V(
        """
        forget 4get forgot_about forgt forgett forgeting forgetting unlearn unremember disremember un-remember un-note
        unnote unsave pretend_i_never_told_you pretend_i_never_said pretend_i_never_mentioned pretend_i_didnt_say
        pretend_i_didnt_tell_you pretend_you_never_heard pretend_you_dont_know disregard ignore_what_i_said
        slip_your_mind slip_my_mind let_go_of let_go unstore misremember
        """
    ),
    WordKind.DELETE: _V(
        """
        lose delete deleting erase erasing remove removing wipe wiping clear clear_out scrub scrap purge drop
        get_rid_of getting_rid_of bin trash throw_out throw_away discard scratch strike destroy cross_out dispose_of
        expunge toss dump kill rm nuke ditch redact blank_out strike_out wipe_out chuck delet remov del get_rid
        factory_reset start_over_with undo_the_note
        """
    ),
    WordKind.VOID: _V("cancel undo retract withdraw revoke void take_back undo_that overwrite annul"),
    WordKind.TAKE: _V("take get cross pull strip cut"),
    WordKind.OFF: _V("off out from"),
    WordKind.GONE: _V("gone deleted removed erased forgotten wiped scrapped dropped cleared go binned purged"),
    WordKind.THAT: _V("that the_fact_that of_the_fact_that about_the_fact_that"),
    WordKind.TO: _V("about of to how_about"),
    WordKind.POINT: _V(
        """
        this that it these those them em the_following following what_im_about_to_say this_one that_one all_of_this
        all_of_these all_of_that both what_follows this_date that_date this_number whats_below
        """
    ),
    WordKind.MEMORY: _V(
        """
        memory memories notes note brain head mind record records memory_bank archive on_file on_record
        notebook storage entries entry reminders your_database ur_database the_bots_database hathis_database
        in_the_database into_the_database to_the_database from_the_database
        """
    ),
    WordKind.AFTER: _V(
        """
        for in into to on your ur the my our a an of down away somewhere safe safely later for_me for_us for_later
        for_next_time for_the_future for_future_reference next_time something thing things stuff info information
        detail details item items fact facts one two three four five few couple more some about following separately
        from_now_on in_future in_the_future forever tonight place where_you_can_find_it me us you there here rn
        right_now both note notes list point points smth sth love all could would can will if so only long_term aside
        up system log logs
        """
    ),
    WordKind.MANY: _V(
        """
        these those things facts notes items points list lists following two three four five few them em all_of_these
        all_these all
        """
    ),
    WordKind.PURPOSE: _V("for when about until till in on because cause since as so if next"),
    WordKind.ALL: _V(
        """
        all everything anything whatever every any lot whole entire each every_single every_last who_i_am existence
        identity it_all clean_slate from_zero
        """
    ),
    WordKind.STUFF: _V(
        """
        thing things stuff part parts bit bits memory memories note notes fact facts message messages info information
        data detail details record records entry entries comment comments remark remarks one ones story business line
        sentence reminder reminders items item saved personal profile history account memo memos
        """
    ),
    WordKind.TOLD: _V(
        """
        said told tell say mention mentioned wrote written write shared share asked ask gave give given posted have
        had saved save stored store kept keep noted note learned learnt got talked discussed decided spoke remembered
        heard recorded memorized logged collected hold been know remember hear want wanted tracked put wrote_down
        taught teach listed saying says stating
        """
    ),
    WordKind.ABOUT: _V(
        """
        about on of regarding concerning around for with where saying that_says called named that abt re when
        the_fact_that how saying_that
        """
    ),
    WordKind.THE: _V("the that those these this a an some your ur last old what which there"),
    WordKind.MY: _V("my our mine"),
    WordKind.LAST: _V("last latest previous this that it just_now just one"),
    WordKind.TALK: _V(
        """
        conversation chat session discussion talk talked discussed talking discussing spoke spoken
        """
    ),
    WordKind.WHERE: _V(
        """
        channel server room place guild chat here this the conversation people anyone anybody whole folks
        """
    ),
    WordKind.TIME: _V(
        """
        at_all today yesterday tonight earlier recently lately before so_far here just_now already earlier_today
        the_other_day morning afternoon evening night week weekend month year monday tuesday wednesday thursday friday
        saturday sunday now right_now rn currently at_the_moment ago since hours days weeks months day this last past
        few two three until up_to_now yet only overall exactly these under_my_name back
        """
    ),
    WordKind.WHAT: _V(
        """
        what whats which how_much what_all wat wut how_many what_else is_there are_there got any
        """
    ),
    WordKind.STORED: _V(
        """
        hold remember remembers remembered recall save saved saving store stored storing keep kept keeping note noted
        memorize memorized memorised memorise written_down write_down wrote_down logged recorded on_file on_record
        put_down hold_on_to retain retained know known learned learnt learn collected noted_down jotted_down archived
        tracked tracking keep_track keep_in_mind in_store remembering filed picked_up took
        """
    ),
    WordKind.SHOW: _V(
        """
        show list give tell read print display summarize summarise sum_up enumerate lemme_see see view recap dump
        rundown overview check go_over ls look look_at summary remind recite output report retrieve spill pull_up
        bring_up i_forgot_what recall_all
        """
    ),
    WordKind.BE: _V(
        """
        is are was were will would can has have do does did been be being am should could hasnt isnt im youre
        """
    ),
    WordKind.REMARK: _V(
        """
        its it that thats sold because cause cuz since as no_longer not theyre theres gone done old wrong outdated lol
        haha sorry thx was just please pls we i im ive weve he she they turns now you this my were therell ill dont
        """
    ),
    WordKind.NUMBER: _V(
        """
        memory memories number numbers no note notes entry entries item items fact facts id ids record records line
        lines nr num and or plus the my your with
        """
    ),
    WordKind.RECALL: _V(
        """
        remember remembering remembered rember remeber remembr rememeber remmember rembember remembee rmbr rmb remmber
        rmember memorize memorise memorizing memorising
        """
    ),
    WordKind.REMIND: _V(
        "remind_me remind_us reminding_me reminding_us set_a_reminder set_me_a_reminder make_a_reminder"
    ),
    WordKind.IS: _V("is was will would can has"),
    WordKind.SAYS: _V("is are its theyre"),
    WordKind.WITH: _V(
        """
        down for_me for_us for_later for_next_time from_now_on later me in_the_future please pls plz plse kindly also
        btw by_the_way ok okay too well so going_forward for_good
        """
    ),
    WordKind.TOPIC: _V("about regarding concerning abt re"),
    WordKind.CONDITION: _V(
        "if when whenever before after once while unless until because since as though although whether where that"
    ),
    WordKind.DOWN: _V(
        "mark_down note_down jot_down write_down noting_down writing_down jotting_down put_down take_down"
    ),
    WordKind.BEGINS: _V("about that of"),
    WordKind.INTO: _V("to in into on among"),
    WordKind.JOINT: _V("so and then because since"),
    WordKind.REASON: _V("because cuz since so"),
    WordKind.AHEAD: _V("the_following following what_follows whats_below what_im_about_to_say"),
    WordKind.NUMBERED: _V(
        """
        number numbers no nr num id ids memory memories notes note entry entries item items fact facts record records
        line
        """
    ),
    WordKind.REMEMBERED: _V(
        """
        memory memories remember remembered notes records storage head mind data info
        your_database ur_database the_bots_database hathis_database
        """
    ),
    WordKind.KEPT: _V(
        """
        remembered saved stored kept noted memorized memorised written_down wrote_down logged recorded on_file on_record
        put_down retained learned collected noted_down jotted_down archived tracked filed picked_up been_told been_asked
        """
    ),
    WordKind.HAVE: _V("have got"),
    WordKind.ONE: _V("thing one part bit line note fact message entry comment record last latest previous"),
    WordKind.OTHER: _V("he she they him them his"),
    WordKind.ARTICLE: _V("a an the my your"),
    WordKind.IT: _V("that it"),
    WordKind.LOSE: _V("lose"),
    WordKind.ONE_THING: _V("when who whom whose where why how have has had did"),
    WordKind.SELF: _V("me us myself ourselves yourself urself"),
    WordKind.LIST: _V("list lists"),
    WordKind.INDEFINITE: _V("a an some"),
}

LANGUAGES: Final = (ENGLISH,)
