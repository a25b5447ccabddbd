import { readPiece, savePiece } from '@officium/contract/authoring';
import { type act, refuse } from '../../server/api.ts';
import { keepable } from '../../form/state.ts';
import { changedLessons, fieldsOf, isMinutes } from './outline-lessons.ts';

type Acting = Pick<Awaited<ReturnType<typeof act>>, 'api' | 'attempt' | 'fields'>;

/** Saves minutes and whether they are mandatory in the drafts of changed lessons. Returns a refusal, if any. */
export async function saveLessons({ api, attempt, fields }: Acting) {
  const changes = changedLessons(fields);
  const issues = changes
    .filter(({ minutes }) => !isMinutes(minutes))
    .map(({ key }) => ({ path: fieldsOf(key).minutes, message: 'Minutes must be a whole number' }));
  const [first] = issues;
  if (first) return refuse({ message: first.message, issues, values: keepable(fields) });
  for (const { key, minutes, mandatory } of changes) {
    const params = { kind: 'lesson', key } as const;
    const { doc, version } = await api(readPiece, { params });
    if (doc.kind !== 'lesson') continue;
    const saved = await attempt(savePiece, {
      params,
      body: { version, doc: { ...doc, minutes: Number(minutes), mandatory } },
    });
    if (!saved.ok) return saved.refusal;
  }
  return undefined;
}
