import { forgetDraft } from '../../form/draft.ts';

type Args = { request: Request; serverAction: () => Promise<unknown> };

/** Deletes the draft when the server accepts the article, which it signals with a redirect. */
export async function forgettingAction({ request, serverAction }: Args): Promise<unknown> {
  const fields = await request.clone().formData();
  try {
    return await serverAction();
  } catch (answer) {
    const draft = fields.get('draft');
    const isTaken = answer instanceof Response && answer.status >= 300 && answer.status < 400;
    const isOurs = isTaken && answer.headers.get('location')?.startsWith('/articles/');
    if (isOurs && typeof draft === 'string') forgetDraft(draft);
    throw answer;
  }
}
