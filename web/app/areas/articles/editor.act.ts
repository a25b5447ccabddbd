import { createArticle, previewArticle, readArticle, updateArticle } from '@officium/contract/content';
import type { createArticle as Create } from '@officium/contract/content';
import type { ReplyOf } from '@officium/contract/endpoint';
import { isLocale } from '@officium/i18n/locales';
import { data } from 'react-router';
import { act, refuse } from '../../server/api.ts';
import { pageContext } from '../../server/page-context.ts';
import { redirectWith } from '../../form/flash.ts';
import { textOf } from '../../form/fields.ts';
import { keepable, type FormState } from '../../form/state.ts';
import { showFromHere } from '../../server/pictures.ts';
import { articleOf, toFieldIssues, type Values } from './article-form.ts';
import { placeSentPictures } from './pictures.act.ts';

export type Preview = { html: string; minutes: number; cover: { url: string } | null };
/** Result of a preview request: the preview, and the fields as submitted. */
export type PreviewAnswer = { preview: Preview; values: Values };

/** The article as somebody saved it after the form was opened. */
export type Conflict = {
  saved: { title: string; subtitle: string; tldr: string | null; body: string; locale: string };
};

type Args = {
  request: Request;
  context: Parameters<typeof act>[1];
  /** Slug of the edited article. */ slug?: string;
};

/** Publishes, saves or previews the submitted article. */
export async function editorAction({ request, context, slug }: Args) {
  const args = await act(request, context);
  const { api, attempt, fields, locale } = args;
  const refused = await placeSentPictures(args, context);
  if (refused) return refused;
  const article = articleOf(fields);
  if (fields.get('intent') === 'preview') {
    const body = { body: article.body, locale: isLocale(article.locale) ? article.locale : locale };
    const shown = await attempt(previewArticle, { body });
    if (!shown.ok) return shown.refusal;
    const cover = article.coverImage ? { url: article.coverImage.url } : null;
    const preview = showFromHere({ ...shown.body, cover }, context.get(pageContext).shownFrom);
    return data<PreviewAnswer>({ preview, values: keepable(fields) });
  }
  const basedOn = textOf(fields, 'basedOn');
  const done = slug
    ? await attempt(updateArticle, { params: { slug }, body: { ...article, ...(basedOn ? { basedOn } : {}) } })
    : await attempt(createArticle, { body: article });
  if (!done.ok) {
    const { message, code, issues, status } = done.failure;
    if (slug && code === 'content.changed_meanwhile') {
      const { title, subtitle, tldr, body, locale, updatedAt } = await api(readArticle, { params: { slug } });
      const state: FormState & Conflict = {
        message,
        code,
        issues,
        status,
        values: { ...keepable(fields), basedOn: updatedAt },
        saved: { title, subtitle, tldr, body, locale },
      };
      return data(state, { status });
    }
    return refuse({ message, code, issues: toFieldIssues(issues), values: keepable(fields), status }, status);
  }
  const to = slug ?? (done.body as ReplyOf<typeof Create>).slug; // no slug: the article was just created
  return redirectWith(`/articles/${encodeURIComponent(to)}`, { key: slug ? 'common.saved' : 'article.is_published' });
}
