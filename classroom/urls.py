"""Addresses of people, classrooms and lessons."""

from __future__ import annotations

from django.urls import URLPattern, path

from classroom.views import accounts, classrooms, jobs, joining, lessons, rosters

app_name = "classroom"

_class = "classes/<uuid:classroom_id>/"
_lesson = "lessons/<uuid:lesson_id>/"
_student = "students/<uuid:student_id>/"

urlpatterns: list[URLPattern] = [
    # teachers
    path("accounts/invitation/<str:secret>/", accounts.invitation, name="invitation"),
    path("accounts/forgot/", accounts.forgot, name="forgot"),
    path("accounts/you/", accounts.you, name="you"),
    path(
        "accounts/you/log-out-everywhere/", accounts.log_out_everywhere, name="log_out_everywhere"
    ),
    path("teachers/", accounts.teachers, name="teachers"),
    path("teachers/invite/", accounts.invite, name="invite"),
    path("teachers/<uuid:teacher_id>/", accounts.change, name="change_teacher"),
    path("invitations/<uuid:invitation_id>/withdraw/", accounts.withdraw, name="withdraw"),
    # classes
    path("classes/", classrooms.index, name="classes"),
    path("classes/new/", classrooms.create, name="new_class"),
    path(_class, classrooms.detail, name="classroom"),
    path(f"{_class}code/", classrooms.show_code, name="show_code"),
    path(f"{_class}rename/", classrooms.rename, name="rename_class"),
    path(f"{_class}settings/", classrooms.settings, name="class_settings"),
    path(f"{_class}rotate/", classrooms.rotate, name="rotate_code"),
    path(f"{_class}archive/", classrooms.archive, name="archive_class"),
    path(f"{_class}delete/", classrooms.delete, name="delete_class"),
    path(f"{_class}copy/", classrooms.copy, name="copy_class"),
    path(f"{_class}teachers/invite/", classrooms.invite, name="invite_co_teacher"),
    path(f"{_class}teachers/<uuid:teacher_id>/", classrooms.co_teacher, name="change_co_teacher"),
    # rosters
    path(f"{_class}students/", rosters.index, name="students"),
    path(f"{_class}students/paste/", rosters.paste, name="paste"),
    path(f"{_class}students/add/", rosters.add, name="add_student"),
    path(f"{_class}students/anonymise/", rosters.anonymise, name="anonymise"),
    path(f"{_class}students/<uuid:student_id>/restore/", rosters.restore, name="restore_student"),
    path(f"{_class}codes/", rosters.codes, name="codes"),
    path(_student, rosters.student, name="student"),
    path(f"{_student}rename/", rosters.rename, name="rename_student"),
    path(f"{_student}note/", rosters.note, name="note_student"),
    path(f"{_student}remove/", rosters.remove, name="remove_student"),
    path(f"{_student}merge/", rosters.merge, name="merge_guest"),
    path(f"{_student}code/", rosters.code, name="new_code"),
    path(f"{_student}unlock/", rosters.unlock, name="unlock_student"),
    path(f"{_student}erase/", rosters.erase, name="erase_student"),
    path(f"{_student}export/", rosters.export, name="export_student"),
    # lessons
    path(f"{_class}lessons/new/", lessons.create, name="new_lesson"),
    path(_lesson, lessons.detail, name="lesson"),
    path(f"{_lesson}report/", lessons.report, name="report"),
    path(f"{_lesson}roll/", lessons.roll, name="roll"),
    path(f"{_lesson}change/", lessons.change, name="change_lesson"),
    path(f"{_lesson}delete/", lessons.delete, name="delete_lesson"),
    path(f"{_lesson}{_student}", lessons.student, name="lesson_student"),
    path(f"{_lesson}devices/<int:device_id>/", lessons.device, name="lesson_device"),
    path(f"{_lesson}others/present/", lessons.others_present, name="others_present"),
    path(f"{_lesson}guests/remove/", lessons.remove_guests, name="remove_guests"),
    # students
    path("join/", joining.code, name="join"),
    path(f"{_lesson}join/", joining.name, name="choose_name"),
    path(f"{_lesson}join/guest/", joining.guest, name="join_as_guest"),
    path(f"{_lesson}join/{_student}", joining.take, name="take_name"),
    path(f"{_lesson}play/", joining.play, name="play"),
    path(f"{_lesson}here/", joining.here, name="here"),
    path(f"{_lesson}leave/", joining.leave, name="leave"),
    # long work
    path("jobs/<uuid:job_id>/", jobs.detail, name="job"),
    path("jobs/<uuid:job_id>/file/", jobs.file, name="job_file"),
    path("jobs/<uuid:job_id>/again/", jobs.again, name="job_again"),
]
