"""The words of the sample grammar and their forms.

Nouns are written ``singular`` or ``singular/plural``; verbs ``base`` or ``base/3sg/past/participle/ing``, with ``+word``
for a particle or preposition; the missing forms follow the spelling rules of English.
"""

from __future__ import annotations

from dataclasses import dataclass

from .fields import FIELDS_TEXT

_VOWELS = "aeiou"
_DOUBLING = {"stop", "plan", "drop", "wrap", "admit", "regret", "slip", "cancel", "travel"}


@dataclass(frozen=True, slots=True)
class Noun:
    """A countable noun; ``movable`` if one can carry it."""

    singular: str
    plural: str
    movable: bool = False


@dataclass(frozen=True, slots=True)
class Verb:
    """The five forms of a verb, and the particle or preposition that belongs to it."""

    base: str
    third: str
    past: str
    participle: str
    gerund: str
    extra: str = ""


@dataclass(frozen=True, slots=True)
class Field:
    """The vocabulary of one subject field; ``acts`` and ``happenings`` map a verb to the things it goes with."""

    name: str
    people: tuple[Noun, ...]
    person_adjectives: tuple[str, ...]
    things: tuple[Noun, ...]
    thing_adjectives: tuple[str, ...]
    acts: tuple[tuple[Verb, tuple[Noun, ...]], ...]
    happenings: tuple[tuple[Verb, tuple[Noun, ...]], ...]
    places: tuple[str, ...]
    thing_places: tuple[str, ...]
    topics: tuple[str, ...]
    thing_phrases: tuple[str, ...]
    person_phrases: tuple[str, ...]
    tools: tuple[str, ...]


def _s(word: str) -> str:
    if word.endswith("y") and word[-2] not in _VOWELS:
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("s", "x", "ch", "sh", "z")) else "s")


def noun(entry: str) -> Noun:
    """Read ``man/men``, a regular ``boat``, or ``+oar`` for a thing one can carry."""
    singular, _, plural = entry.removeprefix("+").partition("/")
    return Noun(singular, plural or _s(singular), entry.startswith("+"))


def verb(entry: str) -> Verb:
    """Read ``find/finds/found/found/finding``, a regular ``paint``, either with an extra word as in ``wait+for``."""
    forms, _, extra = entry.partition("+")
    if "/" in forms:
        base, third, past, participle, gerund = forms.split("/")
        return Verb(base, third, past, participle, gerund, extra)
    if forms.endswith("e"):
        return Verb(forms, _s(forms), forms + "d", forms + "d", forms[:-1] + "ing", extra)
    if forms.endswith("y") and forms[-2] not in _VOWELS:
        return Verb(forms, _s(forms), forms[:-1] + "ied", forms[:-1] + "ied", forms + "ing", extra)
    stem = forms + forms[-1] if forms in _DOUBLING else forms
    return Verb(forms, _s(forms), stem + "ed", stem + "ed", stem + "ing", extra)


def verbs(text: str) -> tuple[Verb, ...]:
    """Read a list of verbs separated by blanks."""
    return tuple(map(verb, text.split()))


def _pairs(text: str, things: tuple[Noun, ...]) -> tuple[tuple[Verb, tuple[Noun, ...]], ...]:
    by_name = {thing.singular: thing for thing in things}
    pairs = []
    for entry in text.split(";"):
        forms, _, objects = entry.strip().partition("=")
        pairs.append((verb(forms), things if objects == "*" else tuple(by_name[name] for name in objects.split())))
    return tuple(pairs)


def _field(block: str) -> Field:
    head, *rest = block.strip().splitlines()
    entry = {key: value.strip() for key, _, value in (line.partition(":") for line in rest)}
    things = tuple(map(noun, entry["things"].split()))

    def phrases(key: str) -> tuple[str, ...]:
        return tuple(phrase.strip() for phrase in entry[key].split(";"))

    return Field(
        name=head.strip("[]"),
        people=tuple(map(noun, entry["people"].split())),
        person_adjectives=tuple(entry["person_adjectives"].split()),
        things=things,
        thing_adjectives=tuple(entry["thing_adjectives"].split()),
        acts=_pairs(entry["acts"], things),
        happenings=_pairs(entry["happenings"], things),
        places=phrases("places"),
        thing_places=phrases("thing_places"),
        topics=phrases("topics"),
        thing_phrases=phrases("thing_phrases"),
        person_phrases=phrases("person_phrases"),
        tools=phrases("tools"),
    )


def lines(text: str) -> tuple[str, ...]:
    """Return the lines of a text that are not blank, trimmed."""
    return tuple(line.strip() for line in text.splitlines() if line.strip())


FIELDS: dict[str, Field] = {field.name: field for field in map(_field, FIELDS_TEXT.strip().split("\n\n"))}

NAMES = {
    "f": ("Anna", "Clara", "Ruth", "Mina", "Agnes", "Zora", "Helen", "Ingrid"),
    "m": ("Peter", "Oskar", "Hugo", "Emil", "Victor", "Samuel", "Jonas", "Amos"),
}
SURNAMES = ("Lindqvist", "Moreau", "Okafor", "Tanaka", "Brodsky", "Weiss", "Alvarez", "Hale")

FIND = verbs(
    "find/finds/found/found/finding draw/draws/drew/drawn/drawing describe examine bring/brings/brought/brought/bringing "
    "choose/chooses/chose/chosen/choosing"
)
LIKE = verbs("see/sees/saw/seen/seeing notice remember like want need admire")
MEET = verbs("meet/meets/met/met/meeting help visit follow thank avoid interrupt invite blame warn question")
LOVE = verbs("trust love fear forgive/forgives/forgave/forgiven/forgiving miss recognise")
STAND = verbs(
    "wait sleep/sleeps/slept/slept/sleeping laugh sit/sits/sat/sat/sitting work stand/stands/stood/stood/standing "
    "sing/sings/sang/sung/singing stay"
)
GIVE = verbs(
    "give/gives/gave/given/giving show/shows/showed/shown/showing send/sends/sent/sent/sending sell/sells/sold/sold/"
    "selling offer lend/lends/lent/lent/lending hand promise"
)
THINK = verbs(
    "think/thinks/thought/thought/thinking say/says/said/said/saying believe know/knows/knew/known/knowing hope claim "
    "suspect hear/hears/heard/heard/hearing deny fear explain admit"
)
WONDER = verbs("wonder ask know/knows/knew/known/knowing remember discover")
TELL = verbs("tell/tells/told/told/telling warn remind assure")
ORDER = verbs("ask persuade order tell/tells/told/told/telling allow force beg/begs/begged/begged/begging")
TRY = verbs("try promise refuse decide agree plan manage hope offer learn")
EXPECT = verbs("want expect")
KEEP = verbs("stop begin/begins/began/begun/beginning keep/keeps/kept/kept/keeping avoid enjoy regret")
HEAR = verbs("see/sees/saw/seen/seeing hear/hears/heard/heard/hearing watch notice")
CALL = verbs("consider find/finds/found/found/finding call think/thinks/thought/thought/thinking")
SEEM = verbs("seem become/becomes/became/become/becoming look remain")
TALK_OF_BOTH = verbs(
    "talk+about wait+for look+at complain+about think/thinks/thought/thought/thinking+about dream+of worry+about"
)
TALK_OF_PEOPLE = verbs("listen+to laugh+at wait+for")
TALK_OF_THINGS = verbs("pay/pays/paid/paid/paying+for ask+for look+for")
PARTICLES = verbs(
    "put/puts/put/put/putting+away take/takes/took/taken/taking+down pick+up throw/throws/threw/thrown/throwing+out "
    "set/sets/set/set/setting+aside turn+over send/sends/sent/sent/sending+back hold/holds/held/held/holding+up carry+off"
)
LEAVE = verbs(
    "come/comes/came/come/coming+in get/gets/got/got/getting+up go/goes/went/gone/going+out sit/sits/sat/sat/sitting+down "
    "give/gives/gave/given/giving+up run/runs/ran/run/running+away"
)
GO = verbs("walk run/runs/ran/run/running go/goes/went/gone/going hurry travel climb return")
OPINIONS = (
    "useless",
    "beautiful",
    "dangerous",
    "ridiculous",
    "perfect",
    "too_RB|expensive",
    "very_RB|old",
    "rather_RB|ugly",
)
OPINION_PAIRS = ("old but useful", "cheap and ugly", "small but beautiful", "strange and wonderful")
MOODS = (
    "happy",
    "tired",
    "angry",
    "ill",
    "silent",
    "proud",
    "rather_RB|worried",
    "very_RB|pleased",
    "almost_RB|asleep",
    "very_RB|hungry",
)
MOOD_PAIRS = ("tired but happy", "cold and hungry", "proud and lonely", "rich but unhappy")
MANNERS = {
    "act": ("carefully", "quietly", "quickly", "twice"),
    "stand": ("quietly", "patiently", "alone"),
    "talk": ("loudly", "angrily", "constantly"),
    "go": ("slowly", "quickly", "alone"),
    "meet": ("secretly", "politely", "twice"),
}
SPEAKING = ("quietly", "angrily", "politely", "sadly")
FREQUENCY = ("never", "always", "often", "rarely")
ASPECT = ("finally", "already", "soon")
OPENERS = ("Perhaps", "Fortunately", "However", "Meanwhile", "Apparently", "Of_IN|course")
PAST_TIMES = lines("""(NP-TMP last_JJ night_NN)
    (NP-TMP yesterday_NN)
    (NP-TMP this_DT morning_NN)
    (NP-TMP last_JJ winter_NN)
    (PP-TMP in_IN (NP 1911_CD))
    (PP-TMP during_IN (NP the_DT night_NN))
    (ADVP-TMP (NP three_CD days_NNS) ago_RB)
    (ADVP-TMP (NP many_JJ years_NNS) ago_RB)""")
ANY_TIMES = lines("""(NP-TMP every_DT Sunday_NNP)
    (PP-TMP in_IN (NP the_DT evening_NN))
    (PP-TMP after_IN (NP midnight_NN))
    (PP-TMP before_IN (NP breakfast_NN))
    (PP-TMP on_IN (NP Thursday_NNP))
    (PP-TMP at_IN (NP noon_NN))
    (ADVP-TMP again_RB)
    (ADVP-TMP (ADVP early_RB) (PP in_IN (NP the_DT morning_NN)))""")
SPANS_OF_TIME = lines("""(PP-TMP for_IN (NP two_CD weeks_NNS))
    (PP-TMP for_IN (NP (QP more_JJR than_IN an_DT) hour_NN))
    (PP-TMP until_IN (NP (NP the_DT end_NN) (PP of_IN (NP May_NNP))))
    (NP-TMP all_DT night_NN)""")
GOALS = lines("""(PP-DIR to_TO (NP the_DT window_NN))
    (PP-DIR into_IN (NP the_DT dark_NN))
    (ADVP-DIR home_RB)
    (PP-DIR across_IN (NP the_DT bridge_NN))
    (PP-DIR through_IN (NP the_DT snow_NN))
    (PP-DIR from_IN (NP the_DT town_NN)) (PP-DIR to_TO (NP the_DT sea_NN))
    (PP-DIR up_IN (NP the_DT stairs_NNS))
    (PP-DIR down_IN (NP (NP the_DT other_JJ side_NN) (PP of_IN (NP the_DT hill_NN))))""")
MEANS = lines("""(PP-MNR with_IN (NP great_JJ care_NN))
    (PP-MNR without_IN (NP a_DT word_NN))
    (PP-MNR in_IN (NP silence_NN))
    (PP-MNR by_IN (NP mistake_NN))
    (PP-MNR with_IN (NP (NP a_DT kind_NN) (PP of_IN (NP despair_NN))))
    (PP-MNR like_IN (NP a_DT thief_NN))""")
MODALS = {"past": ("would", "could", "might"), "pres": ("will", "can", "may", "must")}
