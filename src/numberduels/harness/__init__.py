"""Episodes of our games for harnesses that train and evaluate language models and agents.

`text_episode.TextEpisode` is the shared core: deal, prompt, parsing of answers, opponent, and an exact reward
for every move. The adapters beside it only translate between it and one harness each, so the same settings
and the same seed give the same episode in every harness. `episode_settings` says what an episode is made
from, `episode_tasks` lists them in splits, `episode_results` scores them; `dataset/` writes positions and
games to files, `mcp/` offers the games as tools. The room knows analysis, players and the game contract; a
package of a harness is imported by its adapter alone.
"""
