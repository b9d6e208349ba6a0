"""What the worker and the hourly housekeeping do for the bank."""

from __future__ import annotations

from classroom.services import housekeeping, jobs
from quizzes.services import exports, imports, pictures

jobs.register(imports.JOB, imports.read_all)
jobs.register(exports.JOB, exports.write_file)
housekeeping.register("imports", imports.forget_imports)
housekeeping.register("pictures", pictures.forget_pictures)
