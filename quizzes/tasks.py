"""What the worker and the hourly housekeeping do for the bank."""

from __future__ import annotations

from classroom.services import housekeeping, jobs
from quizzes.services import acts, adding, drafts, exports, imports, pictures

jobs.register(imports.JOB, imports.read_all)
jobs.register(imports.SAVING, imports.save_all)
jobs.register(exports.JOB, exports.write_file)
jobs.register(acts.JOB, acts.act_all)
housekeeping.register("drafts", drafts.forget_drafts)
housekeeping.register("imports", imports.forget_imports)
housekeeping.register("pictures", pictures.forget_pictures)
housekeeping.register("unfinished imports", adding.forget_left_over)
