// Twin of server/table/fold.py: what a fact makes of a table.
/** @import { Fact, Status, Table } from "../net/types" */

/** Maps a fold has copied already, so that each is copied once however many facts follow. */
/** @typedef {{table: Table, owned: Set<string>}} Draft */
/** @typedef {"models" | "removed" | "units" | "terrain" | "templates" | "markers" | "scores"} MapName */

export class NoSuchThing extends Error {}

/** @param {Table} table @param {Fact} fact */
export const apply = (table, fact) => fold(table, [fact]);

/** The table after all of `facts`, in order. @param {Table} table @param {Iterable<Fact>} facts */
export function fold(table, facts) {
  /** @type {Draft} */
  const draft = { table: { ...table }, owned: new Set() };
  for (const fact of facts) after(draft, fact);
  return draft.table;
}

/** A map of the draft that may be written. Without a prototype, so no key can be more than a key.
 * @template {MapName} N @param {Draft} draft @param {N} name @returns {Table[N]} */
function own(draft, name) {
  if (!draft.owned.has(name)) {
    draft.table[name] = Object.assign(Object.create(null), draft.table[name]);
    draft.owned.add(name);
  }
  return draft.table[name];
}

/** @template T @param {Record<string, T>} map @param {string} key @returns {T} */
function known(map, key) {
  const found = Object.hasOwn(map, key) ? map[key] : undefined;
  if (found === undefined) throw new NoSuchThing(`${key} is not on the table`);
  return found;
}

/** @template T @param {Record<string, T>} map @param {string} key @param {T | null} value */
function put(map, key, value) {
  delete map[key];
  if (value !== null) map[key] = value;
}

/** @template T @param {Record<string, T>} map @param {string} key @param {T | null} value @returns {Record<string, T>} */
function having(map, key, value) {
  const copy = Object.assign(Object.create(null), map);
  put(copy, key, value);
  return copy;
}

/** @param {Draft} draft @param {string} id @param {string} key @param {Status | null} value */
function mark(draft, id, key, value) {
  const models = own(draft, "models");
  const model = known(models, id);
  models[id] = { ...model, status: having(model.status, key, value) };
}

/** @param {Draft} draft @param {Fact} fact */
function after(draft, fact) {
  switch (fact.fact) {
    case "models_placed":
      for (const model of fact.models) {
        put(own(draft, "removed"), model.id, null);
        own(draft, "models")[model.id] = model;
      }
      return;
    case "models_moved":
      for (const { model, pose } of fact.moves) {
        const models = own(draft, "models");
        models[model] = { ...known(models, model), pose };
      }
      return;
    case "models_removed":
      for (const id of fact.models) {
        own(draft, "removed")[id] = known(draft.table.models, id);
        put(own(draft, "models"), id, null);
      }
      return;
    case "status_set":
      return mark(draft, fact.model, fact.key, fact.value);
    case "statuses_set":
      for (const [id, value] of Object.entries(fact.values)) mark(draft, id, fact.key, value);
      return;
    case "unit_set":
      own(draft, "units")[fact.unit.id] = fact.unit;
      return;
    case "unit_status_set": {
      const units = own(draft, "units");
      const unit = known(units, fact.unit);
      units[fact.unit] = { ...unit, status: having(unit.status, fact.key, fact.value) };
      return;
    }
    case "terrain_set":
      return put(own(draft, "terrain"), fact.id, fact.terrain);
    case "template_laid":
      return put(own(draft, "templates"), fact.template.id, fact.template);
    case "template_lifted":
      return put(own(draft, "templates"), fact.id, null);
    case "marker_set":
      return put(own(draft, "markers"), fact.id, fact.marker);
    case "clock_set":
      draft.table.clock = fact.clock;
      return;
    case "score_set":
      own(draft, "scores")[fact.seat] = fact.score;
      return;
    default:
      throw new NoSuchThing(`no way to apply ${/** @type {{fact: string}} */ (fact).fact}`);
  }
}
