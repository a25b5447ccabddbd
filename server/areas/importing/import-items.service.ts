import { newId } from '#server/db/client.ts';
import type { FolderCommunity } from './folder.format.ts';
import * as store from './import.repository.ts';
import { ImportRefused, type ImportRun } from './import-run.service.ts';
import { nameOwners } from './owner.service.ts';

export async function putAcademies(run: ImportRun): Promise<void> {
  const { academies } = run.prepared.folder;
  const rows = academies.map((item): store.AcademyRow => {
    const { slug, title, description = {}, topics } = item;
    const texts = { title, description, ...run.cover(item) };
    return { id: run.idOf(item), slug, ...texts, topics, position: run.positionOf(item) };
  });
  run.tally.rows(await store.putAcademies(run.db, rows));
  const courseIds = await store.findCourseIds(
    run.db,
    academies.flatMap((item) => item.courses),
  );
  const links = academies.flatMap((item) =>
    [...new Set(item.courses)].map((slug, position): store.AcademyCourseRow => {
      const courseId = courseIds.get(slug);
      if (courseId === undefined) throw new ImportRefused(`academies: ${item.slug} names the unknown course ${slug}`);
      return { academy_id: run.idOf(item), course_id: courseId, position };
    }),
  );
  run.tally.changed(
    await store.putAcademyCourses(
      run.db,
      academies.map((item) => run.idOf(item)),
      links,
    ),
  );
}

export async function putMicrocourses(run: ImportRun): Promise<void> {
  const { microcourses } = run.prepared.folder;
  const rows = microcourses.map((item): store.MicrocourseRow => {
    const { slug, title, summary = {}, minutes, humanTranslation, topics } = item;
    return {
      id: run.idOf(item),
      slug,
      title,
      summary,
      minutes,
      ...run.cover(item),
      topics,
      human_translation: humanTranslation,
      position: run.positionOf(item),
    };
  });
  run.tally.rows(await store.putMicrocourses(run.db, rows));
  const bodies = microcourses.flatMap((item) =>
    (run.prepared.microcourses.get(item)?.bodies ?? []).map((body): store.BodyRow => ({
      lesson_key: null,
      microcourse_id: run.idOf(item),
      ...body,
    })),
  );
  run.tally.changed(
    await store.putBodies(
      run.db,
      'microcourse_id',
      microcourses.map((item) => run.idOf(item)),
      bodies,
    ),
  );
}

export async function putCommunities(run: ImportRun, known: { key: string; communityId: string }[]): Promise<void> {
  const { communities } = run.prepared.folder;
  const communityIds = new Map(known.map((row) => [row.key, row.communityId]));
  const idOf = (item: FolderCommunity) => {
    const id = communityIds.get(run.idOf(item)) ?? newId();
    communityIds.set(run.idOf(item), id);
    return id;
  };
  const rows = communities.map((item): store.ImportedCommunityRow => {
    const { slug, title, description = {}, privacy, locale, categories } = item;
    return {
      id: idOf(item),
      entry_id: run.idOf(item),
      slug,
      title,
      description,
      privacy,
      locale,
      categories,
      ...run.cover(item),
      position: run.positionOf(item),
    };
  });
  run.tally.rows(await store.putCommunities(run.db, rows));
  const changed = await nameOwners(
    run.db,
    communities.map((item) => ({ communityId: idOf(item), emails: item.owners })),
  );
  for (const item of communities) if (changed.has(idOf(item))) run.tally.mark(run.idOf(item), 'changed');
}
