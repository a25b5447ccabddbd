import { readArticle } from '@officium/contract/content';
import { data } from 'react-router';
import { loadForm } from '../../server/api.ts';
import { loadPictureFields } from '../../editor/lazy-picture-fields.tsx';
import { useText } from '../../text.tsx';
import { Head } from '../../ui/head.tsx';
import type { Route } from './+types/article-edit.page';
import { valuesOf } from './article-form.ts';
import { editorAction } from './editor.act.ts';
import { Editor } from './editor.tsx';
import { forgettingAction } from './forget-draft.ts';

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, viewer } = await loadForm(request, context);
  const [article] = await Promise.all([api(readArticle, { params }), loadPictureFields()]);
  if (!article.can.edit) throw data({ status: 403, message: '', code: 'auth.forbidden', issues: [] }, { status: 403 });
  return { slug: article.slug, initial: valuesOf(article), author: { id: viewer.id, name: viewer.name } };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  return await editorAction({ request, context, slug: params.slug });
}

export const clientAction = ({ request, serverAction }: Route.ClientActionArgs) =>
  forgettingAction({ request, serverAction });

export default function EditArticle({ loaderData }: Route.ComponentProps) {
  const { t } = useText();
  const { slug, initial, author } = loaderData;
  return (
    <div className="page py-8 md:py-12">
      <Head title={t('article.edit_title')} isPrivate />
      <div className="mx-auto max-w-3xl">
        <h1 className="mb-8 text-4xl md:text-5xl">{t('article.edit_title')}</h1>
        <Editor key={slug} slug={slug} initial={initial} author={author} />
      </div>
    </div>
  );
}
