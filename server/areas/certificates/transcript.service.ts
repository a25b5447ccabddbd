import type { Locale } from '@officium/contract/common';
import type { Transcript } from '@officium/contract/transcripts';
import { openCourseSlugs } from '#server/access/can.ts';
import type { UserViewer } from '#server/access/viewer.ts';
import { recordHourly } from '#server/audit/audit.ts';
import type { Ctx } from '#server/ctx.ts';
import { notFound } from '#server/errors.ts';
import { findTranscriptJourneys, getTranscriptPerson } from './transcript.repository.ts';
import { toTranscript } from './transcript.view.ts';

/** The transcript of a person, in the courses open to the viewer. An administrator's view of another's is audited. */
export async function readTranscript(
  ctx: Ctx,
  viewer: UserViewer,
  { userId, locale }: { userId: string; locale: Locale },
): Promise<Transcript> {
  const [person, journeys] = await Promise.all([
    getTranscriptPerson(ctx.db, userId),
    findTranscriptJourneys(ctx.db, { userId, open: openCourseSlugs(viewer) }),
  ]);
  if (!person) throw notFound();
  if (userId !== viewer.id) await recordHourly(ctx.lastingDb, viewer, { action: 'admin.read-person', object: userId });
  const { publicUrl } = ctx.config;
  return toTranscript({ person, journeys }, locale, { publicUrl, issuer: ctx.site.current().name });
}

/** The transcript as a PDF in the viewer's language. */
export async function drawTranscript(
  ctx: Ctx,
  viewer: UserViewer,
  query: { userId: string; locale: Locale },
): Promise<Buffer> {
  const transcript = await readTranscript(ctx, viewer, query);
  const { renderTranscriptPdf } = await import('./transcript-pdf.view.ts'); // loads the fonts
  return await renderTranscriptPdf(transcript, query.locale);
}
