"""The models that answer in a place: the one that is chosen there first, with the budget of its context."""

from dataclasses import dataclass

from bot.config import BudgetSettings
from bot.domain import Caller, ModelRole, PlaceSetting
from bot.llm.models import Models
from bot.store.place_settings import Choosable, held


@dataclass(frozen=True, slots=True, kw_only=True)
class PlacedModels:
    """Models, and what each part of a prompt has with them."""

    models: Models
    budget: BudgetSettings


class ModelsByPlace:
    """Knows the models of every place; one for each that can be chosen."""

    def __init__(self, models: Models, budget: BudgetSettings) -> None:
        """`budget` is for a prompt as it is measured, however much a model takes."""
        self.choosable = choosable(models)
        self._by_name = {name: _placed(models.choosing(name), budget) for name in models.choosable}
        self._without = PlacedModels(models=models, budget=budget)

    def of(self, caller: Caller) -> PlacedModels:
        """Those of where the caller asks; of the settings alone where nothing is chosen that is still there."""
        return self._by_name.get(held(caller.choices, self.choosable).value, self._without)


def choosable(models: Models) -> Choosable:
    """The models that admins may choose from; the one in the settings holds elsewhere."""
    names = models.choosable
    return Choosable(setting=PlaceSetting.MODEL, names=names, default="".join(names[:1]), is_set=bool(names))


def _placed(models: Models, budget: BudgetSettings) -> PlacedModels:
    return PlacedModels(models=models, budget=budget.within(models.settings(ModelRole.REASONING).max_context))
