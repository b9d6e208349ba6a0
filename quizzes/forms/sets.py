"""Forms about sets, and about finding questions."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any
from uuid import UUID

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from quizzes.languages import language_name
from quizzes.models import Question, SetShare
from quizzes.selectors.questions import ORDERS
from quizzes.selectors.sets import Colleagues
from quizzes.services.sets import LONGEST_CREDIT, LONGEST_NOTE, LONGEST_TITLE


class SetForm(forms.Form):
    """What a set is called and about."""

    title = forms.CharField(
        label=_("Title"),
        max_length=LONGEST_TITLE,
        help_text=_("For example: Elections, year 8"),
    )
    language = forms.ChoiceField(
        label=_("Language of the questions"),
        required=False,
        choices=[("", _("not said")), *settings.LANGUAGES],
    )
    note = forms.CharField(
        label=_("Note for yourself and colleagues"),
        max_length=LONGEST_NOTE,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = str(self.initial.get("language", ""))
        if known and known not in dict(settings.LANGUAGES):
            self.fields["language"].choices += [  # type: ignore[attr-defined]
                (known, language_name(known))
            ]


class ShareForm(forms.Form):
    """With whom, and how far. One of ``colleagues`` is picked, or an address is typed."""

    teacher = forms.ChoiceField(label=_("Your colleague"), required=False)
    email = forms.EmailField(
        label=_("E-mail address of your colleague"),
        help_text=_("The address with which your colleague logs in here."),
        required=False,
        widget=forms.EmailInput(attrs={"autocomplete": "off"}),
    )
    right = forms.ChoiceField(
        label=_("What your colleague may do"),
        choices=SetShare.Right.choices,
        initial=SetShare.Right.VIEW,
        widget=forms.RadioSelect,
    )

    def __init__(
        self, *args: Any, colleagues: Colleagues, but: Collection[UUID], **kw: Any
    ) -> None:
        """``but``: those with whom the set is shared already."""
        super().__init__(*args, **kw)
        near, others = (
            [(str(one.pk), one.name) for one in many if one.pk not in but]
            for many in (colleagues.near, colleagues.others)
        )
        if not near and not others:
            del self.fields["teacher"]
            return
        groups = [(_("Colleagues you work with"), near), (_("Other teachers of this site"), others)]
        self.fields["teacher"].choices = [  # type: ignore[attr-defined]
            ("", _("Choose a name")),
            *((name, people) for name, people in groups if people),
        ]
        self.fields["email"].label = _("Or the e-mail address of somebody else")

    def clean(self) -> dict[str, Any]:
        """Somebody must be named."""
        typed: dict[str, Any] = super().clean() or {}
        if not self.errors and not typed.get("teacher") and not typed.get("email"):
            first = "teacher" if "teacher" in self.fields else "email"
            self.add_error(first, _("Choose a colleague, or type an e-mail address."))
        return typed


class PublishForm(forms.Form):
    """Whether everybody may use a set, and who made it."""

    site_wide = forms.BooleanField(
        label=_("Every teacher of this site may look at it and copy it"), required=False
    )
    credit = forms.CharField(
        label=_("Who made the questions"),
        max_length=LONGEST_CREDIT,
        required=False,
        help_text=_("Shown beside the set and kept when it is copied."),
    )


class FindForm(forms.Form):
    """What is looked for; a choice that is not there any more counts as none."""

    q = forms.CharField(
        label=_("Words"),
        required=False,
        max_length=200,
        widget=forms.TextInput(attrs={"type": "search", "autocomplete": "off"}),
    )
    topic = forms.ChoiceField(label=_("Topic"), required=False)
    kind = forms.ChoiceField(
        label=_("Kind"), required=False, choices=[("", _("all kinds")), *Question.Kind.choices]
    )
    difficulty = forms.ChoiceField(
        label=_("Difficulty"),
        required=False,
        choices=[("", _("easy to hard")), *Question.Difficulty.choices],
    )
    language = forms.ChoiceField(label=_("Language"), required=False)
    order = forms.ChoiceField(
        label=_("Order"),
        required=False,
        choices=[
            ("set", _("as in the set")),
            ("changed", _("changed last")),
            ("text", _("by text")),
            ("kind", _("by kind")),
            ("difficulty", _("from easy to hard")),
        ],
    )

    def __init__(
        self, *args: Any, topics: Iterable[str] = (), languages: Iterable[str] = (), **kwargs: Any
    ) -> None:
        super().__init__(*args, **kwargs)
        self.fields["topic"].choices = [  # type: ignore[attr-defined]
            ("", _("all topics")),
            *((topic, topic) for topic in topics),
        ]
        self.fields["language"].choices = [  # type: ignore[attr-defined]
            ("", _("all languages")),
            *((code, language_name(code)) for code in languages),
        ]

    def wishes(self) -> dict[str, Any]:
        """What ``selectors.questions.find`` is asked."""
        self.is_valid()
        asked = self.cleaned_data
        difficulty = asked.get("difficulty")
        return {
            "query": asked.get("q", ""),
            "topic": asked.get("topic", ""),
            "kind": asked.get("kind", ""),
            "difficulty": int(difficulty) if difficulty else None,
            "language": asked.get("language", ""),
            "order": asked.get("order") or next(iter(ORDERS)),
        }

    def narrows(self) -> bool:
        """Whether anything is looked for, so that an empty list means: not found."""
        return bool(self.wishes()["query"]) or self.narrows_by_choice()

    def narrows_by_choice(self) -> bool:
        """Whether a topic, kind, difficulty or language is chosen."""
        wishes = self.wishes()
        return any(wishes[name] for name in ("topic", "kind", "difficulty", "language"))
