"""Everything that Corruption! says: log lines, questions, buttons, prices, figures.

Sentences are ``Text`` values with message ids; names of squares, properties and
cards come from the content as they stand. A log line names the team, a question
and a button speak to it as "you".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, assert_never

from games.engine.game import Decision, Figure
from games.engine.text import Text, count, gettext_noop as _, say
from games.rules.corruption import events as e, moves as m, state as s
from games.rules.corruption.content import Board, Content
from games.rules.corruption.inspector import Sanction, row
from games.rules.corruption.paying import sale_price
from games.rules.corruption.rulebook import RuleBook
from games.rules.corruption.validator import LETTERS, Letter

SEATS: Final = (say(_("Red")), say(_("Blue")))

_FISH_MOVES: Final[Mapping[e.FishReason, str]] = {
    "setup": _("%(team)s takes %(fish)s from the river to begin with."),
    "collect": _("%(team)s claims %(fish)s from the river for its roll."),
    "purchase": _("%(team)s pays %(fish)s to the river for it."),
    "sale": _("%(team)s gets %(fish)s from the river for it."),
    "loan": _("%(team)s gets %(fish)s from the river as a loan."),
    "repayment": _("%(team)s pays back %(fish)s of its debt to the river."),
    "deposit": _("%(team)s lays %(fish)s on its insurance."),
    "insured_national": _("The insurance of %(team)s pays %(fish)s to the river."),
    "insured_local": _("The insurance of %(team)s pays half the price: %(fish)s to the river."),
    "question": _("%(team)s gets %(fish)s from the river for the right answer."),
    "bank_share": _("%(team)s wins half of the bank square: %(fish)s."),
    "bank_rest": _("The river gets the rest of the bank square: %(fish)s."),
    "category_tax": _("%(team)s has this category and lays a tax of %(fish)s on the bank square."),
    "bank_tax": _("%(team)s passes Central Bank and lays a tax of %(fish)s on the bank square."),
    "national_disaster": _("%(team)s is not insured and pays %(fish)s to the river."),
    "corruption": _("%(team)s pays the fine on the card: %(fish)s to the river."),
    "inspector": _("%(team)s pays what the Inspector asks: %(fish)s to the river."),
    "displacement": _("%(team)s makes room in prison and lays %(fish)s on the bank square."),
}
_CHARGES: Final[Mapping[s.ChargeReason, Text]] = {
    "category_tax": say(_("tax on a complete category")),
    "bank_tax": say(_("tax for passing Central Bank")),
    "national_disaster": say(_("the national disaster")),
    "corruption": say(_("the fine on the card")),
    "inspector": say(_("the Inspector")),
    "displacement": say(_("making room in prison")),
}
_WAITING: Final[Mapping[str, str]] = {
    "roll": _("%(team)s is about to roll."),
    "collect": _("%(team)s may take its fish."),
    "buy": _("%(team)s decides what to buy."),
    "joker": _("%(team)s decides what to buy."),
    "deposit": _("%(team)s decides how much to insure."),
    "sell": _("%(team)s decides what to sell."),
    "inspector": _("%(team)s decides before the Inspector."),
    "give_donation": _("%(team)s chooses a donation to give away."),
    "qa_ask": _("%(team)s reads out the question."),
    "qa_answer": _("%(team)s looks for the answer."),
    "qa_reward": _("%(team)s chooses its reward."),
}
DECISION_KINDS: Final = tuple(_WAITING)


def fish(number: int) -> Text:
    """A number of fish in words."""
    return count("%(count)s fish", "%(count)s fish", number)


def turns(number: int) -> Text:
    """A number of turns in words."""
    return count("%(count)s turn", "%(count)s turns", number)


def tokens(number: int) -> Text:
    """A number of corruption tokens in words."""
    return count("%(count)s token", "%(count)s tokens", number)


def rounds(number: int) -> Text:
    """A number of prison rounds in words."""
    return count("%(count)s round", "%(count)s rounds", number)


# Log lines


def line(content: Content, event: e.AnyEvent) -> Text:
    """The event as one line of the log, for both teams and the public."""
    if isinstance(event, e.RolledForStart):
        return _rolled_for_start(event)
    board = content.board
    team = SEATS[event.seat]
    match event:
        case e.TurnStarted():
            return say(_("%(team)s is to move."), team=team)
        case e.TurnSkipped(left=0):
            return say(_("%(team)s misses this turn."), team=team)
        case e.TurnSkipped():
            more = _("%(team)s misses this turn. Still to miss: %(left)s.")
            return say(more, team=team, left=turns(event.left))
        case e.TurnInPrison(rounds=left):
            return say(_("%(team)s sits in prison: %(left)s to go."), team=team, left=rounds(left))
        case e.Rolled(die=die):
            return say(_("%(team)s rolls %(die)s."), team=team, die=die)
        case e.Walked(path=path):
            walks = _("%(team)s walks to %(square)s.")
            return say(walks, team=team, square=board.squares[path[-1]].label)
        case e.Moved():
            return _moved(board, event)
        case e.FishMoved():
            return say(_FISH_MOVES[event.reason], team=team, fish=fish(event.amount))
        case e.FishLeft(amount=amount):
            leaves = _("%(team)s leaves %(fish)s in the river.")
            return say(leaves, team=team, fish=fish(amount))
        case e.Bought():
            return _bought(board, event)
        case e.Sold(property=name, fish=price):
            sells = _("%(team)s sells the %(property)s to the river for %(fish)s.")
            label = board.properties[name].label
            return say(sells, team=team, property=label, fish=fish(price))
        case e.Borrowed(debt=debt, fish=given) if debt == given:
            return say(_("%(team)s borrows %(fish)s from the river."), team=team, fish=fish(debt))
        case e.Borrowed(debt=debt, fish=given):
            short = _(
                "The river has too few fish: it lends %(team)s %(given)s, and %(team)s owes it "
                "%(fish)s more than before."
            )
            return say(short, team=team, given=fish(given), fish=fish(debt))
        case e.PropertyLost(property=name, needed=needed):
            lost = _(
                "%(team)s loses the %(property)s. %(fish)s on the insurance would have saved it."
            )
            label = board.properties[name].label
            return say(lost, team=team, property=label, fish=fish(needed))
        case e.PropertySaved(property=name, fish=paid):
            saved = _("The insurance of %(team)s pays %(fish)s, and the %(property)s stays.")
            label = board.properties[name].label
            return say(saved, team=team, property=label, fish=fish(paid))
        case e.CategoryCompleted(category=name, reward=reward):
            done = (
                _("%(team)s completes %(category)s and earns a Donation card.")
                if reward
                else _("%(team)s completes %(category)s.")
            )
            return say(done, team=team, category=board.categories[name].label)
        case e.VillageCompleted(tokens=0):
            return say(_("%(team)s completes its village with a clean record."), team=team)
        case e.VillageCompleted(tokens=held):
            waits = _("%(team)s completes its village, but holds %(tokens)s: on to the Inspector.")
            return say(waits, team=team, tokens=tokens(held))
        case e.CardDrawn():
            return _drawn(content, event)
        case e.TokenTaken(card=card, tokens=held):
            takes = _("%(team)s takes a token and now has %(tokens)s. Why it matters: %(why)s")
            why = content.corruption[card].why
            return say(takes, team=team, tokens=tokens(held), why=why)
        case e.TurnsLost(turns=lost, total=total):
            misses = _("%(team)s has to miss %(turns)s. In all: %(total)s.")
            return say(misses, team=team, turns=turns(lost), total=total)
        case e.Inspected(tokens=held):
            counts = _("The Inspector visits %(team)s and counts %(tokens)s.")
            return say(counts, team=team, tokens=tokens(held))
        case e.Sentenced():
            return _sentenced(event)
        case e.DonationGiven(card=card):
            gives = _("%(team)s gives %(other)s a donation: half price on %(category)s.")
            return say(
                gives,
                team=team,
                other=SEATS[1 - event.seat],
                category=_donation_category(content, card),
            )
        case e.RecordWiped(tokens=held):
            clean = _("%(team)s gives back %(tokens)s. Its record is clean.")
            return say(clean, team=team, tokens=tokens(held))
        case e.Jailed(rounds=left, wipe=wipe):
            jailed = (
                _("%(team)s is in prison for %(rounds)s; then its record is clean.")
                if wipe
                else _("%(team)s is in prison for %(rounds)s. Its record stays.")
            )
            return say(jailed, team=team, rounds=rounds(left))
        case e.RoundServed(left=left):
            served = _("%(other)s passes Start: %(team)s has %(rounds)s left in prison.")
            return say(served, team=team, other=SEATS[1 - event.seat], rounds=rounds(left))
        case e.QuestionDrawn():
            draws = _("%(other)s draws a question for %(team)s.")
            return say(draws, team=team, other=SEATS[1 - event.seat])
        case e.QuestionAsked():
            asks = _("%(other)s reads the question to %(team)s.")
            return say(asks, team=team, other=SEATS[1 - event.seat])
        case e.QuestionAnswered():
            return _answered(content, event)
        case e.QuestionSkipped():
            away = _("The teacher puts this question away. %(team)s wins and loses nothing.")
            return say(away, team=team)
        case e.RewardChosen(reward="fish"):
            return say(_("%(team)s takes a fish for the right answer."), team=team)
        case e.RewardChosen():
            return say(_("%(team)s rolls again for the right answer."), team=team)
        case e.NothingHappened(why=why):
            return say(_QUIET[why], team=team)
        case e.Won():
            return say(_("%(team)s wins: a complete village and a clean record."), team=team)
        case _:
            assert_never(event)


_QUIET: Final[Mapping[e.Quiet, str]] = {
    "prison_visit": _("%(team)s only visits the prison."),
    "other_insurance": _("That is the other team's insurance: nothing happens to %(team)s."),
    "nothing_to_deposit": _("%(team)s has no fish to insure."),
    "nothing_deposited": _("%(team)s lays nothing on its insurance."),
    "nothing_bought": _("%(team)s buys nothing."),
    "river_empty": _("The river is empty: %(team)s gets nothing."),
    "bank_empty": _("No fish lie on the bank square for %(team)s."),
    "start_visit": _("%(team)s lands on Start. Its turn is over."),
    "nothing_affordable": _("%(team)s cannot afford anything here yet."),
    "completed_by_chance": _("%(team)s has this category already. Chance asks no tax."),
    "property_not_owned": _("%(team)s does not own what was struck: nothing happens."),
    "no_donation_left": _("All Donation cards are held by the teams: %(team)s draws nothing."),
    "clean_record": _("%(team)s has a clean record. That is what the Inspector expects."),
    "fine_waived": _("%(team)s cannot clear its record yet and pays nothing this time."),
}


def _rolled_for_start(event: e.RolledForStart) -> Text:
    red, blue = event.dice
    if event.seat is None:
        again = _("Red rolls %(red)s and Blue %(blue)s to see who begins. They roll again.")
        return say(again, red=red, blue=blue)
    begins = _("Red rolls %(red)s and Blue %(blue)s to see who begins: %(team)s.")
    return say(begins, red=red, blue=blue, team=SEATS[event.seat])


def _moved(board: Board, event: e.Moved) -> Text:
    words = {
        "chance": _("Chance puts the flag of %(team)s on %(square)s."),
        "inspector": _("The flag of %(team)s goes to the closest Inspector."),
        "prison": _("The flag of %(team)s goes to prison."),
        "released": _("%(team)s has served its sentence and stands on %(square)s."),
        "displaced": _("%(team)s makes room in prison and stands on %(square)s."),
    }
    square = board.squares[event.square].label
    return say(words[event.reason], team=SEATS[event.seat], square=square)


def _bought(board: Board, event: e.Bought) -> Text:
    words = (
        _("%(team)s buys the %(property)s for %(fish)s.")
        if event.donation is None
        else _("%(team)s buys the %(property)s with a donation, for only %(fish)s.")
    )
    label = board.properties[event.property].label
    return say(words, team=SEATS[event.seat], property=label, fish=fish(event.paid))


def _drawn(content: Content, event: e.CardDrawn) -> Text:
    team = SEATS[event.seat]
    match event.deck:
        case "corruption":
            drawn = _("%(team)s draws a Corruption card: %(text)s")
            return say(drawn, team=team, text=content.corruption[event.card].text)
        case "national":
            drawn = _("A disaster strikes both villages: %(text)s")
            return say(drawn, text=content.national[event.card].text)
        case "local":
            drawn = _("%(team)s draws a local disaster: %(text)s")
            return say(drawn, team=team, text=content.local[event.card].text)
        case "donation":
            drawn = _("%(team)s draws a Donation card: %(text)s")
            return say(drawn, team=team, text=content.donation[event.card].text)
        case _:
            assert_never(event.deck)


def _sentenced(event: e.Sentenced) -> Text:
    words = (
        _("%(team)s pays the Inspector's fine: %(price)s. Its tokens stay.")
        if event.choice == "fine"
        else _("%(team)s clears its record: %(price)s.")
    )
    price = _sanction(Sanction(fish=event.fish, rounds=event.rounds, donation=event.donation))
    return say(words, team=SEATS[event.seat], price=price)


def _sanction(sanction: Sanction) -> Text:
    if sanction.donation:
        return say(_("%(fish)s and one donation"), fish=fish(sanction.fish))
    if sanction.rounds:
        price = _("%(fish)s and %(rounds)s in prison")
        return say(price, fish=fish(sanction.fish), rounds=rounds(sanction.rounds))
    return fish(sanction.fish)


def _answered(content: Content, event: e.QuestionAnswered) -> Text:
    card = content.qa[event.card]
    team, right = SEATS[event.seat], card.options[card.correct]
    if event.right:
        words = _("%(team)s answers right: %(answer)s. %(explanation)s")
        return say(words, team=team, answer=right, explanation=card.explanation)
    words = (
        _("%(team)s gives no answer. Right is %(correct)s: %(answer)s. %(explanation)s")
        if event.letter is None
        else _("%(team)s answers %(letter)s. Right is %(correct)s: %(answer)s. %(explanation)s")
    )
    return say(
        words,
        team=team,
        letter=event.letter or "",
        correct=event.correct,
        answer=right,
        explanation=card.explanation,
    )


def _donation_category(content: Content, card: str) -> str:
    return content.board.categories[content.donation[card].category].label


# Questions


def waiting(decision: Decision) -> Text:
    """What play waits for, as everybody but the team reads it."""
    return say(_WAITING[decision.kind], team=SEATS[decision.seat])


def ask(content: Content, state: s.State, decision: Decision) -> Text:
    """What the team must decide, as one question to it, with the reason why it is asked."""
    board, team = content.board, state.teams[decision.seat]
    have = fish(team.possession)
    square = board.squares[team.position].label
    match pending(state):
        case s.Throw(start=True):
            return say(_("Your turn. Roll the die."))
        case s.Throw():
            return say(_("You won a new roll. Roll the die."))
        case s.Claim():
            claim = _(
                "You rolled %(die)s and stand on %(square)s. Take your fish now, or lose them."
            )
            return say(claim, die=state.die, square=square)
        case s.Purchase(category=None):
            anything = _("Joker: you may buy one property of any category. You have %(have)s.")
            return say(anything, have=have)
        case s.Purchase(category=category):
            one = _("Your village may buy one %(category)s property. You have %(have)s.")
            assert category is not None
            return say(one, category=board.categories[category].label, have=have)
        case s.Insure():
            insure = _(
                "How many fish do you lay on your insurance? You have %(have)s; insured: %(pot)s."
            )
            return say(insure, have=have, pot=team.insurance)
        case s.ForcedSale(charge=s.Charge(amount=amount, reason=reason)):
            charge = _("You owe %(fish)s for %(reason)s and have %(have)s. What do you sell?")
            return say(charge, fish=fish(amount), reason=_CHARGES[reason], have=team.possession)
        case s.Judgement():
            inspect = _(
                "The Inspector counts %(tokens)s. Do you pay the fine or clear your record?"
            )
            return say(inspect, tokens=tokens(team.tokens))
        case s.GiveUpDonation():
            other = SEATS[1 - decision.seat]
            return say(_("Which of your donations do you give to %(other)s?"), other=other)
        case s.Ask():
            other = SEATS[1 - decision.seat]
            return say(_("Read the question aloud to %(other)s, then start."), other=other)
        case s.Answer():
            return say(_("Which answer is right? You can answer once."))
        case s.QuestionReward():
            return say(_("That is right. Do you take 1 fish or roll again?"))
        case effect:
            assert_never(effect)


# Buttons


def label(content: Content, state: s.State, seat: int, move: m.AnyMove) -> Text:
    """The move as words on a button, verb first."""
    properties = content.board.properties
    match move:
        case m.Roll():
            return say(_("Roll the die"))
        case m.Collect():
            return say(_("Take the fish"))
        case m.Leave():
            return say(_("Leave the fish"))
        case m.Buy(property=name, donation=True):
            return say(_("Buy the %(property)s with a donation"), property=properties[name].label)
        case m.Buy(property=name):
            return say(_("Buy the %(property)s"), property=properties[name].label)
        case m.Pass():
            return say(_("Buy nothing"))
        case m.Deposit(fish=0):
            return say(_("Insure nothing"))
        case m.Deposit(fish=amount):
            return count("Insure %(count)s fish", "Insure %(count)s fish", amount)
        case m.Sell(property=name):
            return say(_("Sell the %(property)s"), property=properties[name].label)
        case m.Fine():
            return say(_("Pay the fine"))
        case m.Wipe():
            return say(_("Clear the record"))
        case m.GiveDonation(card=card):
            gives = _("Give the donation for %(category)s")
            return say(gives, category=_donation_category(content, card))
        case m.AskQuestion():
            return say(_("We have read it. Start"))
        case m.AnswerQuestion(letter=letter):
            if letter is None:
                return say(_("Give no answer"))
            return say(
                "%(letter)s: %(answer)s", letter=letter, answer=_option(content, state, letter)
            )
        case m.SkipQuestion():
            return say(_("Skip this question"))
        case m.ChooseReward(reward="fish"):
            return say(_("Take 1 fish"))
        case m.ChooseReward():
            return say(_("Roll again"))
        case m.GoToInspector():
            return say(_("Go to the Inspector"))
        case _:
            assert_never(move)


def _option(content: Content, state: s.State, letter: Letter) -> str:
    """The words of an answer as shown to the answering team."""
    assert state.question is not None
    shown = state.question.order[LETTERS.index(letter)]
    return content.qa[state.question.card].options[shown]


def cost(rules: RuleBook, state: s.State, seat: int, move: m.AnyMove) -> Text:
    """What the move costs, what follows, and what is left after it."""
    team = state.teams[seat]
    keep = fish(team.possession)
    match move:
        case m.Roll():
            return say(_("Your flag walks as many squares as the die shows."))
        case m.Collect():
            return _claim_result(rules, state, seat, state.die)
        case m.Leave():
            gone = _("They stay in the river for good; you keep %(left)s.")
            return say(gone, left=keep)
        case m.Buy():
            return _buy_result(rules, state, seat, move)
        case m.Pass():
            return say(_("Costs nothing; you keep %(left)s."), left=keep)
        case m.Deposit(fish=amount):
            laid = _("Insured then: %(pot)s, for disasters only; you keep %(left)s.")
            left = fish(team.possession - amount)
            return say(laid, pot=fish(team.insurance + amount), left=left)
        case m.Sell(property=name):
            return _sale_result(rules, state, seat, rules.board.rank[name])
        case m.Fine():
            return _fine_result(row(team).fine, team)
        case m.Wipe():
            return _wipe_result(row(team).wipe, team)
        case m.GiveDonation(card=card):
            given = _("Goes to the other team: “%(text)s” Donations left to you: %(left)s.")
            text = rules.content.donation[card].text
            return say(given, text=text, left=len(team.donations) - 1)
        case m.AskQuestion():
            return say(_("The other team may answer from now on."))
        case m.SkipQuestion():
            return say(_("Nothing is won or lost."))
        case m.AnswerQuestion(letter=None):
            return say(_("Counts as not right. It costs no fish."))
        case m.AnswerQuestion():
            return say(_("Right: 1 fish or a new roll. Not right: nothing is lost."))
        case m.ChooseReward(reward="fish"):
            return _claim_result(rules, state, seat, 1)
        case m.ChooseReward():
            return say(_("A whole new roll from this square; you keep %(left)s."), left=keep)
        case m.GoToInspector():
            instead = _("You do not roll. The Inspector counts %(tokens)s; you have %(left)s.")
            return say(instead, tokens=tokens(team.tokens), left=keep)
        case _:
            assert_never(move)


def _claim_result(rules: RuleBook, state: s.State, seat: int, claimed: int) -> Text:
    team = state.teams[seat]
    amount = min(claimed, state.river) if rules.finite else claimed
    have = team.possession + amount
    repaid = min(team.debt, have)
    if rules.options.debt_repayment == "full_only" and repaid < team.debt:
        repaid = 0
    if repaid:
        words = _("%(fish)s from the river, %(repaid)s back for your debt; then you have %(left)s.")
        return say(words, fish=fish(amount), repaid=repaid, left=fish(have - repaid))
    words = _("%(fish)s from the river; then you have %(left)s.")
    return say(words, fish=fish(amount), left=fish(have))


def _buy_result(rules: RuleBook, state: s.State, seat: int, move: m.Buy) -> Text:
    team, place = state.teams[seat], rules.board.rank[move.property]
    price = rules.prices[place]
    with_card = price > team.possession if move.donation is None else move.donation
    pays = rules.halves[place] if with_card else price
    words = (
        _("%(fish)s to the river and the card is used up; you keep %(left)s.")
        if with_card
        else _("%(fish)s to the river; you keep %(left)s.")
    )
    result = say(words, fish=fish(pays), left=fish(team.possession - pays))
    if isinstance(pending(state), s.Claim):
        result = say(_("%(result)s The fish of this roll are lost."), result=result)
    return _with_completion(rules, team, place, result)


def _with_completion(rules: RuleBook, team: s.TeamState, bought: int, result: Text) -> Text:
    missing = {place for place, paid in enumerate(team.paid) if paid is None} - {bought}
    category = rules.category_of[bought]
    if not missing:
        return say(_("%(result)s Your village is complete."), result=result)
    if missing.isdisjoint(rules.members[category]):
        done = _("%(result)s %(category)s is complete.")
        return say(done, result=result, category=rules.board.categories[category].label)
    return result


def _sale_result(rules: RuleBook, state: s.State, seat: int, place: int) -> Text:
    team, effect = state.teams[seat], pending(state)
    charge = effect.charge if isinstance(effect, s.ForcedSale) else None
    price = sale_price(rules, team, place, charge.reason if charge else "inspector")
    brings = min(price, state.river) if rules.finite else price
    have = team.possession + brings
    if charge is None:
        return say(_("Brings %(fish)s; you have %(left)s."), fish=fish(brings), left=fish(have))
    if have >= charge.amount:
        words = _("Brings %(fish)s and covers what you owe; you keep %(left)s.")
        return say(words, fish=fish(brings), left=fish(have - charge.amount))
    words = _("Brings %(fish)s; you still need %(left)s more.")
    return say(words, fish=fish(brings), left=fish(charge.amount - have))


def _fine_result(fine: Sanction | None, team: s.TeamState) -> Text:
    if fine is None:
        return say(_("With 9 tokens or more there is no fine to choose."))
    words = _("%(price)s; your %(tokens)s stay. %(left)s")
    left = _after_paying(team, fine.fish)
    return say(words, price=_sanction(fine), tokens=tokens(team.tokens), left=left)


def _wipe_result(wipe: Sanction, team: s.TeamState) -> Text:
    words = (
        _("%(price)s; your record is clean when you have served it. %(left)s")
        if wipe.rounds
        else _("%(price)s; your record is clean at once. %(left)s")
    )
    return say(words, price=_sanction(wipe), left=_after_paying(team, wipe.fish))


def _after_paying(team: s.TeamState, amount: int) -> Text:
    if team.possession >= amount:
        return say(_("You keep %(left)s."), left=fish(team.possession - amount))
    return say(_("You have only %(have)s: you sell or borrow."), have=fish(team.possession))


def pending(state: s.State) -> s.Asking:
    """What waits for a team's move while a decision is open: the last of the agenda."""
    effect = state.agenda[-1]
    assert isinstance(effect, s.Asking)
    return effect


_FISH, _INSURED, _TOKENS = say(_("Fish")), say(_("Insured")), say(_("Tokens"))
_DONATIONS, _BUILT, _DEBT = say(_("Donations")), say(_("Built")), say(_("Debt"))


def standing(board: Board, state: s.State) -> tuple[tuple[Figure, ...], ...]:
    """The public figures of each team: fish, insurance, tokens, donations, village, debt."""
    return tuple(_figures(board, team) for team in state.teams)


def _figures(board: Board, team: s.TeamState) -> tuple[Figure, ...]:
    built = len(team.paid) - team.paid.count(None)
    figures: tuple[Figure, ...] = (
        Figure(symbol="fish", value=team.possession, label=_FISH),
        Figure(symbol="insurance", value=team.insurance, label=_INSURED),
        Figure(symbol="token", value=team.tokens, label=_TOKENS),
        Figure(symbol="donation", value=len(team.donations), label=_DONATIONS),
        Figure(symbol="house", value=built, out_of=len(board.properties), label=_BUILT),
    )
    if team.debt:
        figures += (Figure(symbol="debt", value=team.debt, label=_DEBT),)
    return figures
