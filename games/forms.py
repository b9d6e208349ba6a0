"""The set-up of a lesson as a form, made from the options that the game declares."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import get_language, gettext, gettext_lazy as _, ngettext

from games.decks.starters import nearest_language, starters
from games.engine.game import Game
from games.engine.options import OptionField, option_fields
from games.models import Match
from games.selectors.question_sets import AskedFrom, SetChoice, asks_questions
from games.selectors.wording import words
from games.services.preparing import Devices, Setup, bots_of

PACES = {"": None, "90": 90, "45": 45}


class SetupForm(forms.Form):
    """Board, how teams decide, time, and under "more" every option of the game."""

    board = forms.ChoiceField(label=_("Board"), widget=forms.RadioSelect)
    decision_rule = forms.ChoiceField(
        label=_("How does a team decide?"), choices=Match.DecisionRule, widget=forms.RadioSelect
    )
    pace = forms.ChoiceField(
        label=_("Time for a decision"),
        required=False,
        choices=[("", _("Off")), ("90", _("Gentle")), ("45", _("Quick"))],
        widget=forms.RadioSelect,
    )
    devices = forms.ChoiceField(
        label=_("Devices"), required=False, choices=Devices, widget=forms.RadioSelect
    )
    bot = forms.ChoiceField(label=_("The computer plays"), required=False, widget=forms.RadioSelect)
    questions = forms.ChoiceField(label=_("Questions"), required=False)
    silent_first = forms.ChoiceField(
        label=_("Each answers alone first"),
        choices=Match.SilentFirst,
        help_text=_(
            "Answers given alone show what each student knows. Then the team talks and decides."
        ),
    )

    def __init__(
        self,
        game: Game,
        setup: Setup,
        data: Any = None,
        *,
        sets: Sequence[SetChoice] = (),
        asked: AskedFrom | None = None,
    ) -> None:
        """``sets`` may be asked from; ``asked`` is what was chosen, if it is no starter deck."""
        self.game, self.setup, self.asked = game, setup, asked
        self.game_title = words(game.title)
        self.starters = starters(game.key, nearest_language(game.key, get_language()))
        self.options = option_fields(game.options_type)
        self.bots = bots_of(game, self.starters[0].key)
        super().__init__(data, initial=self._initial())
        self.fields["board"].choices = [  # type: ignore[attr-defined]
            (board.key, board.title) for board in self.starters
        ]
        self.fields["bot"].choices = [  # type: ignore[attr-defined]
            (bot.key, words(bot.title)) for bot in self.bots
        ]
        if asks_questions(game):
            self.fields["questions"].choices = _sets(setup, sets, asked)  # type: ignore[attr-defined]
        else:
            del self.fields["questions"]
        for option in self.options:
            self.fields[option.name] = forms.ChoiceField(
                label=words(option.label),
                help_text=words(option.help),
                choices=[
                    (str(value), words(label))
                    for value, label in zip(option.values, option.labels, strict=True)
                ],
            )

    def _initial(self) -> dict[str, Any]:
        chosen = {o.name: str(self.setup.options.get(o.name, o.default)) for o in self.options}
        limit = self.setup.decision_limit_s
        return {
            **chosen,
            "board": self.setup.board,
            "decision_rule": self.setup.decision_rule,
            "pace": "" if limit is None else str(limit),
            "silent_first": self.setup.silent_first,
            "devices": self.setup.devices,
            "bot": self.setup.bot or self.bots[0].key,
            "questions": self.setup.questions,
        }

    def computer_players(self) -> list[dict[str, Any]]:
        """The computer players with how each plays, for the radio buttons."""
        return [
            {"bot": bot, "title": words(bot.title), "manner": words(bot.manner), "radio": radio}
            for bot, radio in zip(self.bots, self["bot"], strict=True)
        ]

    def boards(self) -> list[dict[str, Any]]:
        """The boards with the minutes to plan for, for the radio buttons."""
        return [
            {"board": board, "checked": self["board"].value() == board.key}
            for board in self.starters
        ]

    def option_bound_fields(self) -> list[forms.BoundField]:
        """The game's own options, in their order."""
        return [self[option.name] for option in self.options]

    def chosen(self) -> Setup:
        """The settings of a valid form; pairs to keep apart stay as they were."""
        cleaned = self.cleaned_data
        options = {
            option.name: value
            for option in self.options
            if (value := _value(option, cleaned[option.name])) != option.default
        }
        return Setup(
            board=cleaned["board"],
            options=options,
            decision_rule=Match.DecisionRule(cleaned["decision_rule"]),
            decision_limit_s=PACES[cleaned["pace"]],
            silent_first=Match.SilentFirst(cleaned["silent_first"]),
            apart=self.setup.apart,
            devices=Devices(cleaned["devices"] or Devices.OWN),
            bot=cleaned["bot"],
            practice=self.setup.practice,
            questions=cleaned.get("questions", ""),
        )


def _sets(
    setup: Setup, sets: Sequence[SetChoice], asked: AskedFrom | None
) -> list[tuple[str, str]]:
    """The starter deck, the sets, and what was chosen although it is offered no more."""
    choices = [("", gettext("Starter deck"))]
    if asked is not None and setup.questions not in {choice.id for choice in sets}:
        choices.append((setup.questions, asked.title))
    for choice in sets:
        text = ngettext(
            "%(title)s (%(many)s question)", "%(title)s (%(many)s questions)", choice.many
        )
        choices.append((choice.id, text % {"title": choice.title, "many": choice.many}))
    return choices


def _value(option: OptionField, text: str) -> str | int | bool:
    return next(value for value in option.values if str(value) == text)
