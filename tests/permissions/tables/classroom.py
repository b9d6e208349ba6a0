"""Who may do what with people, classes and lessons."""

from __future__ import annotations

from tests.permissions.lines import (
    GO,
    JOIN,
    Line,
    administrators,
    any_teacher,
    everybody,
    players,
    teachers,
)
from tests.permissions.world import World


def guest_args(world: World) -> dict[str, object]:
    return {**world.args, "student_id": world.guest.pk}


def removed_args(world: World) -> dict[str, object]:
    removed = world.classroom.students.create(name="Gone", removed_at=world.lesson.created_at)
    return {**world.args, "student_id": removed.pk}


LINES = (
    # accounts: a link opens for whoever holds it
    Line("classroom:invitation", "GET", everybody(200)),
    Line("classroom:invitation", "POST", everybody(422)),
    Line("classroom:forgot", "GET", everybody(200)),
    Line("classroom:you", "GET", any_teacher(200)),
    Line("classroom:you", "POST", any_teacher(GO), {"name": "Ms Okafor"}),
    Line("classroom:log_out_everywhere", "POST", any_teacher("log in")),
    Line("classroom:teachers", "GET", administrators(200)),
    Line("classroom:invite", "POST", administrators(200)),
    Line("classroom:change_teacher", "POST", administrators(GO), {"act": "shut"}),
    Line("classroom:withdraw", "POST", administrators(GO)),
    # classes
    Line("classroom:classes", "GET", any_teacher(200)),
    Line("classroom:new_class", "GET", any_teacher(200)),
    Line("classroom:new_class", "POST", any_teacher(GO), {"name": "8a"}),
    Line("classroom:classroom", "GET", teachers(200)),
    Line("classroom:show_code", "GET", teachers(200)),
    Line("classroom:rename_class", "POST", teachers(GO), {"name": "8a"}),
    Line("classroom:class_settings", "GET", teachers(200)),
    Line(
        "classroom:class_settings",
        "POST",
        teachers(GO, own=True),
        {"keep_days": "365", "language": ""},
    ),
    Line("classroom:rotate_code", "POST", teachers(GO, own=True)),
    Line("classroom:archive_class", "POST", teachers(GO, own=True), {"archived": "1"}),
    Line("classroom:delete_class", "POST", teachers(GO, own=True), {"name": "7c"}),
    Line("classroom:copy_class", "POST", teachers(GO), {"name": "8c"}),
    Line("classroom:invite_co_teacher", "POST", teachers(200, own=True)),
    Line(
        "classroom:change_co_teacher",
        "POST",
        {**teachers(GO, own=True), "co_teacher": GO},  # may leave by themselves
        {"act": "remove"},
    ),
    # rosters
    Line("classroom:students", "GET", teachers(200)),
    Line("classroom:paste", "GET", teachers(200)),
    Line("classroom:paste", "POST", teachers(200), {"text": "Chiara", "act": "preview"}),
    Line("classroom:add_student", "POST", teachers(GO), {"name": "Chiara"}),
    Line("classroom:anonymise", "POST", teachers(GO, own=True), {"name": "7c"}),
    Line("classroom:restore_student", "POST", teachers(GO), args=removed_args),
    Line("classroom:codes", "GET", teachers(200)),
    Line("classroom:codes", "POST", teachers(200)),
    Line("classroom:student", "GET", teachers(200)),
    Line("classroom:rename_student", "POST", teachers(GO), {"name": "Aminata"}),
    Line("classroom:note_student", "POST", teachers(GO), {"note": "Needs a seat in front."}),
    Line("classroom:remove_student", "POST", teachers(GO)),
    Line("classroom:merge_guest", "POST", teachers(GO), args=guest_args),
    Line("classroom:new_code", "POST", teachers(200)),
    Line("classroom:unlock_student", "POST", teachers(GO)),
    Line("classroom:erase_student", "POST", teachers(GO, own=True)),
    Line("classroom:export_student", "GET", teachers(200)),
    # lessons
    Line("classroom:new_lesson", "GET", teachers(200)),
    Line("classroom:new_lesson", "POST", teachers(GO), {"activity": "lanterns"}),
    Line("classroom:lesson", "GET", teachers(200)),
    Line("classroom:report", "GET", teachers(200)),
    Line("classroom:roll", "GET", teachers(200)),
    Line("classroom:change_lesson", "POST", teachers(GO), {"act": "close"}),
    Line("classroom:delete_lesson", "POST", teachers(GO, own=True)),
    Line("classroom:lesson_student", "POST", teachers(GO), {"act": "kick"}),
    Line("classroom:lesson_device", "POST", teachers(GO), {"act": "let-in"}),
    Line("classroom:others_present", "POST", teachers(GO)),
    Line("classroom:remove_guests", "POST", teachers(GO)),
    # students: who did not show the class code is sent to the page that asks for it
    Line("classroom:join", "GET", everybody(200)),
    Line("classroom:join", "POST", everybody(GO), lambda w: {"code": w.classroom.code}),
    Line("classroom:choose_name", "GET", players(200)),
    Line("classroom:take_name", "POST", players(GO)),
    Line("classroom:join_as_guest", "POST", players(GO), {"guest_name": "Chiara"}),
    Line("classroom:play", "GET", players(200)),
    Line("classroom:here", "POST", players(200, others=204)),
    Line("classroom:leave", "POST", everybody(JOIN)),
    # long work: one's own
    Line("classroom:job", "GET", {**any_teacher(404), "owner": 200}),
    Line("classroom:job_file", "GET", any_teacher(404)),  # this one left no file
    Line("classroom:job_again", "POST", {**any_teacher(404), "owner": GO}),
)
