"""The objects that all requests share."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field

from starlette.requests import Request

from numberduels.web.http.metrics import Metrics
from numberduels.web.http.rate_limits import RateLimits
from numberduels.web.match.engine_queries import ByteCache, EngineService
from numberduels.web.match.service import MatchService
from numberduels.web.match.subscriptions import Subscriptions
from numberduels.web.settings import ServerSettings
from numberduels.web.store.base import Store

MAX_PAGE_BYTES = 32 << 20
"""Size of the cache of pages."""


@dataclass(frozen=True, slots=True)
class Services:
    """The services of one server process."""

    settings: ServerSettings
    store: Store
    subscriptions: Subscriptions
    matches: MatchService
    engine: EngineService
    metrics: Metrics
    limits: RateLimits
    page_cache: ByteCache[Hashable, bytes] = field(default_factory=lambda: ByteCache(MAX_PAGE_BYTES))
    """Rendered pages of matches: many visitors look at the same position."""


def services(request: Request) -> Services:
    """The services of the server that handles this request."""
    found: Services = request.app.state.services
    return found
