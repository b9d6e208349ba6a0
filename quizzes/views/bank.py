"""The bank: sets, the questions of a set, finding, and acts on many questions at once."""

from __future__ import annotations

from typing import Any, cast, get_args
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _, ngettext
from django.views.decorators.http import require_GET, require_POST
from django_htmx.http import HttpResponseClientRedirect

from classroom.access import TeacherActor
from classroom.errors import DomainError, NotThere
from classroom.models import Job, Teacher
from classroom.views.asking import teacher_of, whole_number
from quizzes.access import access_questions, access_set
from quizzes.formats.fields import split_topics
from quizzes.formats.text import tidy
from quizzes.forms.sets import FindForm
from quizzes.models import Question, QuestionSet
from quizzes.selectors import questions as selectors, sets as set_selectors
from quizzes.selectors.drafts import begun, drafts_in
from quizzes.services import acts as services
from quizzes.services.acts import Act, Wish
from quizzes.services.arranging import place_question
from quizzes.services.tagging import BadTopic

A_PAGE = 50  # questions
MOST_NAMED = 10  # of those that are to be deleted


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
            "begun": begun(drafts_in(actor.teacher, question_set)) if not archived else [],
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
    question = place_question(
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
    back = _back(request, question_set, asked)
    if not ids:
        messages.warning(request, _("Tick the questions first."))
        return redirect(back)
    try:
        if request.POST.get("act") == "delete" and (
            page := _asked_again(request, actor, ids, back)
        ):
            return page
        done = services.act_or_start(actor=actor, wish=_wish(request, ids), back=back)
    except NotThere:
        raise
    except DomainError as refusal:
        messages.error(request, str(refusal.message))
        return redirect(back)
    if isinstance(done, Job):
        return redirect("quizzes:acted", done.pk)
    messages.success(request, _told(request.POST["act"], done))
    return redirect(back)


def _asked_again(
    request: HttpRequest, actor: TeacherActor, ids: list[UUID], back: str
) -> HttpResponse | None:
    """The page that names what would be deleted; None once just that many were agreed to."""
    questions = access_questions(actor, ids, to="edit")
    away = [question for question in questions if question.archived_at is not None]
    if request.POST.get("sure") == str(len(away)) or not away:
        return None
    again = [
        (name, value)
        for name in ("act", "set", "asked", "on", "all", "question")
        for value in request.POST.getlist(name)
    ]
    context = {
        "named": away[:MOST_NAMED],
        "count": len(away),
        "more": len(away[MOST_NAMED:]),
        "fields": again,
        "back": back,
        "set": _asked_set(request, actor),
    }
    return render(request, "quizzes/delete.html", context)


@login_required
@require_GET
def acted(request: HttpRequest, job_id: UUID) -> HttpResponse:
    """Wait while the worker acts on many questions, then show their list again."""
    job = services.take_acted(actor=teacher_of(request), job_id=job_id)
    asks_again = "HX-Request" in request.headers
    if job.state in (Job.State.WAITING, Job.State.RUNNING):
        template = "_acting" if asks_again else "acting"
        return render(request, f"quizzes/{template}.html", {"job": job})
    if job.state == Job.State.FAILED:
        messages.error(request, job.message)
    else:
        messages.success(request, _told(job.args["wish"]["act"], job.args["many"]))
    if asks_again:
        return HttpResponseClientRedirect(job.args["back"])
    return redirect(job.args["back"])


def _wish(request: HttpRequest, ids: list[UUID]) -> Wish:
    """What was chosen for these questions."""
    act = request.POST.get("act", "")
    if act not in get_args(Act):
        raise NotThere
    return Wish(
        act=cast("Act", act),
        question_ids=tuple(ids),
        topics=tuple(_topics(request)) if act in ("tag", "untag") else (),
        to=_target(request) if act in ("move", "copy") else None,
    )


def _told(act: str, many: int) -> str:
    """The sentence that says what was done."""
    match act:
        case "tag":
            told = ngettext("A topic was added to %(many)s question.",
                            "A topic was added to %(many)s questions.", many)  # fmt: skip
        case "untag":
            told = ngettext("A topic was taken off %(many)s question.",
                            "A topic was taken off %(many)s questions.", many)  # fmt: skip
        case "move":
            told = ngettext("%(many)s question was moved.",
                            "%(many)s questions were moved.", many)  # fmt: skip
        case "copy":
            told = ngettext("%(many)s question was copied.",
                            "%(many)s questions were copied.", many)  # fmt: skip
        case "archive":
            told = ngettext("%(many)s question is in the archive now.",
                            "%(many)s questions are in the archive now.", many)  # fmt: skip
        case "restore":
            told = ngettext("%(many)s question is back.",
                            "%(many)s questions are back.", many)  # fmt: skip
        case _:
            told = ngettext("%(many)s question is deleted.",
                            "%(many)s questions are deleted.", many)  # fmt: skip
    return told % {"many": many}


def _topics(request: HttpRequest) -> list[str]:
    parts = split_topics(tidy(request.POST.get("topic", "")))
    topics = [topic for part in parts if (topic := " ".join(part.split()))]
    if not topics:
        raise BadTopic(_("Type a topic first, for example: elections"))
    return topics


def _target(request: HttpRequest) -> UUID:
    try:
        return UUID(request.POST.get("to", ""))
    except ValueError:
        raise services.NoTarget from None


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
