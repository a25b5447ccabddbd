import type { BrowserContext } from 'playwright-core';
import { expect } from 'vitest';
import { callApi, SAME_SITE } from './newcomer.ts';

type Titled = { title: string; slug: string };
type AssessedCourse = { course: Titled; journey: Titled; lesson: Titled & { fields: object } };

/** Publishes a public course with one lesson; `fields` has its text and assessment. */
export async function publishCourse(
  { context }: { context: BrowserContext },
  { course, journey, lesson }: AssessedCourse,
): Promise<void> {
  const at = '/api/content/authoring';
  const create = async (kind: string, { title, slug }: Titled, parent?: string) =>
    (await callApi(context, 'POST', at, { kind, title, slug, ...(parent ? { parent } : {}) })).key as string;
  const change = async (kind: string, key: string, fields: object) => {
    const { doc, version } = await callApi(context, 'GET', `${at}/${kind}/pieces/${key}`);
    await callApi(context, 'PUT', `${at}/${kind}/pieces/${key}`, { version, doc: { ...doc, ...fields } });
  };
  const publish = async (kind: string, key: string) => {
    const { version } = await callApi(context, 'GET', `${at}/${kind}/pieces/${key}`);
    await callApi(context, 'POST', `${at}/${kind}/pieces/${key}/publish`, { version });
  };
  const courseKey = await create('course', course);
  await change('course', courseKey, { type: 'Public' });
  await publish('course', courseKey);
  for (const [permission, scope] of [
    ['can_view', 'public'],
    ['can_join', 'authenticated'],
  ]) {
    const data = { permission, scope };
    const path = `/api/admin/products/${courseKey}/permissions`;
    expect((await context.request.put(path, { data, headers: SAME_SITE })).ok()).toBe(true);
  }
  const journeyKey = await create('journey', journey, courseKey);
  await change('journey', journeyKey, { privacy: 'open-public' });
  const lessonKey = await create('lesson', lesson, journeyKey);
  await change('lesson', lessonKey, lesson.fields);
  await publish('journey', journeyKey);
}
