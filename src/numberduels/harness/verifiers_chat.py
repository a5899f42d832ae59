"""The chat harness for verifiers: one completion for each turn, requested from the process of the run.

The harnesses of verifiers start a program for each turn, in a sandbox. A game has many turns, each needs one
completion, and nothing that a model writes is executed; so none of that is needed here.
"""

from __future__ import annotations

from typing import Any

import verifiers.v1 as vf
from openai import APIConnectionError, APIStatusError, AsyncOpenAI
from verifiers.v1.dialects.chat import message_to_wire
from verifiers.v1.errors import MODEL_TRANSPORT_ERROR_EXIT_CODE

MAX_RETRIES = 5
"""Of one request: after a rate limit, an error of the server or a lost connection."""


class DuelChatHarness(vf.Harness[vf.HarnessConfig]):
    """Sends the conversation to the model, and adds its answer."""

    APPENDS_SYSTEM_PROMPT = True
    SUPPORTS_RESUME = True
    EXECUTES_CODE = False
    NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Request one completion through the interception of verifiers, which records it."""
        system, prompt = self.resolve_prompt(data)
        messages: list[Any] = [{"role": "system", "content": system}] if system else []
        if isinstance(prompt, str):
            messages.append({"role": "user", "content": prompt})
        else:
            messages += [message_to_wire(each) for each in prompt or []]
        try:
            async with AsyncOpenAI(base_url=endpoint, api_key=secret, max_retries=MAX_RETRIES) as client:
                await client.chat.completions.create(model=ctx.model, messages=messages)
        except APIConnectionError as fault:
            return vf.ProgramResult(exit_code=MODEL_TRANSPORT_ERROR_EXIT_CODE, stdout="", stderr=str(fault))
        except APIStatusError as fault:
            return vf.ProgramResult(exit_code=1, stdout="", stderr=str(fault))
        return vf.ProgramResult(exit_code=0, stdout="", stderr="")
