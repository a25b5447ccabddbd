import type { TestApp } from '../app.ts';
import { plantCatalogue, plantCourses } from './learning.ts';
import { plantRecords } from './office.ts';
import { type Names, startPlanting } from './planting.ts';
import { plantErased, plantProfiles } from './profiles.ts';
import { plantArticles, plantHalfHidden, plantHidden, plantPlaza } from './talk.ts';

export type World = Awaited<ReturnType<typeof makeWorld>>;

/** A world in which everything that must not be seen by everybody says a word that nothing else says. */
export async function makeWorld(test: TestApp) {
  const planting = await startPlanting(test);
  const profiles = await plantProfiles(planting);
  const { names: inPlaza, plaza, ...talk } = await plantPlaza(planting);
  const { names: inHidden, hidden } = await plantHidden(planting);
  const { names: ofArticles, articleSlug } = await plantArticles(planting, hidden);
  const halfHidden = await plantHalfHidden(planting);
  const { names: ofCourses, withdrawn, course, closed } = await plantCourses(planting);
  const catalogue = await plantCatalogue(planting, [closed, course]);
  const erased = await plantErased(planting, plaza);
  const records = await plantRecords(planting, closed);
  const pieces = { 'pieces/key': [plaza.entryId, hidden.entryId] };

  const names: Names = {};
  const parts = [
    profiles,
    inPlaza,
    inHidden,
    ofArticles,
    halfHidden,
    ofCourses,
    withdrawn,
    catalogue,
    erased,
    records,
    pieces,
  ];
  for (const part of parts)
    for (const [place, values] of Object.entries(part)) names[place] = [...(names[place] ?? []), ...values];
  const ofVictim = test.ctx.db.selectFrom('notifications').where('user_id', '=', planting.people.victim.id);
  names['inbox/id'] = (await ofVictim.select('id').execute()).map(({ id }) => id);
  return {
    ...talk,
    people: planting.people,
    secrets: planting.secrets,
    names,
    homes: planting.homes,
    hidden,
    closed,
    articleSlug,
    /** What only the victim and administrators may know is there, as paths name it. */
    unknown: [hidden.slug, hidden.entryId, closed.slug, closed.id],
  };
}
