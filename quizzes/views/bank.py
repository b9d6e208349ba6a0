"""The bank: sets, the questions of a set, finding, and acts on many questions at once."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_GET, require_POST

from classroom.access import TeacherActor
from classroom.errors import DomainError, NotThere
from classroom.models import Teacher
from classroom.views.asking import teacher_of, whole_number
from quizzes.access import access_set
from quizzes.formats.fields import split_topics
from quizzes.formats.text import tidy
from quizzes.forms.sets import FindForm
from quizzes.models import Question, QuestionSet
from quizzes.selectors import questions as selectors, sets as set_selectors
from quizzes.services import questions as services

A_PAGE = 50  # questions


@login_required
@require_GET
def index(request: HttpRequest) -> HttpResponse:
    teacher = teacher_of(request).teacher
    archived = request.GET.get("show") == "archive"
    form = _find_form(request.GET, teacher)
    if form.narrows():
        return _found(request, teacher, form)
    return render(
        request,
        "quizzes/sets.html",
        {
            "shelves": set_selectors.shelves(teacher, archived=archived),
            "archived": archived,
            "has_archive": not archived and set_selectors.has_archive(teacher),
            "form": form,
        },
    )


@login_required
@require_GET
def detail(request: HttpRequest, set_id: UUID) -> HttpResponse:
    actor = teacher_of(request)
    question_set = access_set(actor, set_id)
    archived = request.GET.get("show") == "archive"
    form = _find_form(request.GET, actor.teacher, question_set, archived=archived)
    found = selectors.find(
        actor.teacher, question_set=question_set, archived=archived, **form.wishes()
    )
    away = question_set.questions.exclude(archived_at=None).count()
    return render(
        request,
        "quizzes/set.html",
        {
            "set": question_set,
            "form": form,
            "archived": archived,
            "away": away,
            "kinds": Question.Kind.choices,
            "arranging": request.GET.get("show") == "order",
            **_listed(request, actor.teacher, found, question_set),
        },
    )


@login_required
@require_GET
def duplicates(request: HttpRequest, set_id: UUID | None = None) -> HttpResponse:
    actor = teacher_of(request)
    question_set = access_set(actor, set_id, to="edit") if set_id else None
    groups = selectors.duplicates(actor.teacher, question_set=question_set)
    return render(
        request,
        "quizzes/duplicates.html",
        {"set": question_set, "groups": groups},
    )


@login_required
@require_POST
def place(request: HttpRequest, question_id: UUID) -> HttpResponse:
    question = services.place_question(
        actor=teacher_of(request),
        question_id=question_id,
        step=1 if request.POST.get("step") == "1" else -1,
    )
    page = whole_number(request.POST.get("page", "")) or 1
    address = reverse("quizzes:set", args=[question.set_id])
    return redirect(f"{address}?show=order&page={page}#q-{question.pk}")


@login_required
@require_POST
def act(request: HttpRequest) -> HttpResponse:
    """Do one thing with all questions that are ticked, then show the same list again."""
    actor = teacher_of(request)
    question_set = _asked_set(request, actor)
    asked = QueryDict(request.POST.get("asked", ""), mutable=True)
    ids = _ticked(request, actor, question_set, asked)
    if not ids:
        messages.warning(request, _("Tick the questions first."))
    else:
        try:
            messages.success(request, _do(request, actor, ids))
        except NotThere:
            raise
        except DomainError as refusal:
            messages.error(request, str(refusal.message))
    return redirect(_back(request, question_set, asked))


def _do(request: HttpRequest, actor: TeacherActor, ids: list[UUID]) -> str:
    """Carry out what was chosen; the sentence that says what was done."""
    match request.POST.get("act"):
        case "tag":
            many = services.tag_questions(actor=actor, question_ids=ids, add=_topics(request))
            told = ngettext("%(many)s question has a topic more.",
                            "%(many)s questions have a topic more.", many)  # fmt: skip
        case "untag":
            many = services.tag_questions(actor=actor, question_ids=ids, remove=_topics(request))
            told = ngettext("%(many)s question has a topic less.",
                            "%(many)s questions have a topic less.", many)  # fmt: skip
        case "move":
            many = services.move_questions(actor=actor, question_ids=ids, to=_target(request))
            told = ngettext("%(many)s question was moved.",
                            "%(many)s questions were moved.", many)  # fmt: skip
        case "copy":
            many = len(services.copy_questions(actor=actor, question_ids=ids, to=_target(request)))
            told = ngettext("%(many)s question was copied.",
                            "%(many)s questions were copied.", many)  # fmt: skip
        case "archive":
            many = services.archive_questions(actor=actor, question_ids=ids)
            told = ngettext("%(many)s question is in the archive now.",
                            "%(many)s questions are in the archive now.", many)  # fmt: skip
        case "restore":
            many = services.restore_questions(actor=actor, question_ids=ids)
            told = ngettext("%(many)s question is back.",
                            "%(many)s questions are back.", many)  # fmt: skip
        case "delete":
            many = services.delete_questions(actor=actor, question_ids=ids)
            told = ngettext("%(many)s question is deleted.",
                            "%(many)s questions are deleted.", many)  # fmt: skip
        case _:
            raise NotThere
    return told % {"many": many}


def _topics(request: HttpRequest) -> list[str]:
    parts = split_topics(tidy(request.POST.get("topic", "")))
    topics = [topic for part in parts if (topic := " ".join(part.split()))]
    if not topics:
        raise services.BadTopic(_("Type a topic first, for example: elections"))
    return topics


def _target(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("to", ""))
    except ValueError:
        raise DomainError(_("Choose a set first.")) from None


def _asked_set(request: HttpRequest, actor: TeacherActor) -> QuestionSet | None:
    """The set whose page the questions were ticked on, if it was one."""
    wanted = request.POST.get("set", "")
    if not wanted:
        return None
    try:
        return access_set(actor, UUID(wanted))
    except ValueError:
        raise NotThere from None


def _ticked(
    request: HttpRequest, actor: TeacherActor, question_set: QuestionSet | None, asked: QueryDict
) -> list[UUID]:
    """The questions that were ticked, or all that the list was about, on its other pages too."""
    if request.POST.get("all") == "1":
        archived = asked.get("show") == "archive"
        form = _find_form(asked, actor.teacher, question_set, archived=archived)
        if question_set is None and not form.narrows():
            return []
        found = selectors.find(
            actor.teacher, question_set=question_set, archived=archived, **form.wishes()
        )
        return list(found.values_list("pk", flat=True))
    try:
        return [UUID(value) for value in request.POST.getlist("question")]
    except ValueError:
        raise NotThere from None


def _back(request: HttpRequest, question_set: QuestionSet | None, asked: QueryDict) -> str:
    """The list that the act was chosen on; never an address that the browser has sent."""
    if request.POST.get("on") == "duplicates":
        if question_set is None:
            return reverse("quizzes:all_duplicates")
        return reverse("quizzes:duplicates", args=[question_set.pk])
    address = (
        reverse("quizzes:sets")
        if question_set is None
        else reverse("quizzes:set", args=[question_set.pk])
    )
    return f"{address}?{asked.urlencode()}" if asked else address


def _found(request: HttpRequest, teacher: Teacher, form: FindForm) -> HttpResponse:
    found = selectors.find(teacher, **form.wishes())
    context = {"form": form, **_listed(request, teacher, found)}
    return render(request, "quizzes/found.html", context)


def _find_form(
    asked: QueryDict,
    teacher: Teacher,
    question_set: QuestionSet | None = None,
    *,
    archived: bool = False,
) -> FindForm:
    among = selectors.find(teacher, question_set=question_set, archived=archived)
    return FindForm(asked, topics=selectors.topics(among), languages=selectors.languages(among))


def _listed(
    request: HttpRequest,
    teacher: Teacher,
    found: Any,
    question_set: QuestionSet | None = None,
) -> dict[str, Any]:
    """One page of a list of questions, with what each says and what can be done with them."""
    page = Paginator(found, A_PAGE).get_page(request.GET.get("page"))
    questions = list(page.object_list)
    asked = request.GET.copy()
    asked.pop("page", None)
    rights = set_selectors.rights(teacher, {question.set_id for question in questions})
    return {
        "page": page,
        "rows": [
            {"question": question, "value": value, "right": rights[question.set_id]}
            for question, value in zip(questions, selectors.newest(questions), strict=True)
        ],
        "asked": asked.urlencode(),
        "targets": list(set_selectors.targets(teacher, but=question_set)),
        "may_change": any(right != "view" for right in rights.values()),
    }
