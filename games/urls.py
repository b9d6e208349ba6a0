"""Addresses of matches, boards and decks."""

from __future__ import annotations

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
