import { data, Form, Link } from 'react-router';
import { ACCESS_SCOPES, previewProductAccess, setProductAccess } from '@officium/contract/product-access';
import { readProductPermissions } from '@officium/contract/admin';
import type { ReplyOf } from '@officium/contract/endpoint';
import { act } from '../../server/api.ts';
import { textOf } from '../../form/fields.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { Button, LinkButton } from '../../ui/button.tsx';
import { Select } from '../../ui/field.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Route } from './+types/product-access.page';
import { AS_COURSE, oneOf, scopeOptions, scopeWord, typeWord } from './access-words.ts';
import { AccessMeaning } from '../../admin/access-meaning.tsx';
import { Admin } from '../../admin/admin.tsx';
import { loadAdmin } from '../../admin/load.ts';
import { backTo } from './products-list.ts';

const LIST = '/admin/products';
type Preview = ReplyOf<typeof previewProductAccess>;
type Scopes = Preview['permissions'];

export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { api, attempt, url } = await loadAdmin(request, context);
  const { permissions } = await api(readProductPermissions, { params });
  const query = url.searchParams.get('back') ?? '';
  if ([url.searchParams.get('can_view'), url.searchParams.get('can_join')].includes(AS_COURSE)) {
    const { course } = await api(previewProductAccess, { params, query: permissions });
    if (!course) throw data(null, { status: 404 });
    const preview = await api(previewProductAccess, { params, query: course });
    return { preview, wanted: course, query, isUnfit: false, followsCourse: true };
  }
  const chosen = (name: keyof Scopes) => oneOf(ACCESS_SCOPES, url.searchParams.get(name)) ?? permissions[name];
  const wanted = { can_view: chosen('can_view'), can_join: chosen('can_join') };
  const asked = await attempt(previewProductAccess, { params, query: wanted });
  if (asked.ok) return { preview: asked.body, wanted, query, isUnfit: false, followsCourse: false };
  if (asked.failure.status !== 400) throw data(asked.failure, { status: asked.failure.status });
  // An invalid combination is shown again beside the current permissions.
  const preview = await api(previewProductAccess, { params, query: permissions });
  return { preview, wanted, query, isUnfit: true, followsCourse: false };
}

export async function action({ request, context, params }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  const scope = (name: string) => oneOf(ACCESS_SCOPES, textOf(fields, name)) ?? 'private';
  const done = await attempt(setProductAccess, {
    params,
    body: fields.has('as') ? { as: 'course' } : { can_view: scope('can_view'), can_join: scope('can_join') },
  });
  return done.ok
    ? redirectWith(backTo(LIST, textOf(fields, 'back')), {
        key: 'admin.products_changed',
        values: { title: textOf(fields, 'title') },
      })
    : done.refusal;
}

export default function ProductAccess({ loaderData }: Route.ComponentProps) {
  const { preview, wanted, query, isUnfit, followsCourse } = loaderData;
  const text = useText();
  const { t } = text;
  const { permissions, title, contentType } = preview;
  const isSame = followsCourse
    ? preview.reason === 'as-course'
    : preview.reason !== 'as-course' &&
      permissions.can_view === wanted.can_view &&
      permissions.can_join === wanted.can_join;
  const back = backTo(LIST, query);
  return (
    <Admin
      title={title}
      intro={typeWord(text, contentType)}
      crumb={
        <p className="mb-2 text-sm">
          <Link to={back} className="link inline-block py-1.5">
            {t('admin.products_back')}
          </Link>
        </p>
      }
    >
      <div className="max-w-prose">
        {isUnfit ? (
          <Notice tone="danger" live>
            {t('admin.products_order')}
          </Notice>
        ) : null}
        {isSame || isUnfit ? (
          <Choose wanted={wanted} query={query} isSame={isSame} />
        ) : (
          <>
            {followsCourse ? <p className="mb-4">{t('admin.products_follows_course')}</p> : null}
            <Comparison now={preview.reason === 'as-course' ? preview.effective : permissions} then={wanted} />
            <AccessMeaning preview={preview} />
            <Confirm preview={preview} wanted={wanted} query={query} back={back} followsCourse={followsCourse} />
          </>
        )}
      </div>
    </Admin>
  );
}

function Choose({ wanted, query, isSame }: { wanted: Scopes; query: string; isSame: boolean }) {
  const text = useText();
  const { t } = text;
  const options = scopeOptions(text);
  return (
    <Form method="get" className="mt-4 grid gap-4">
      {isSame ? <p className="text-muted">{t('admin.products_same')}</p> : null}
      <input type="hidden" name="back" value={query} />
      <Select
        name="can_view"
        label={t('admin.products_view')}
        required
        options={options}
        defaultValue={wanted.can_view}
      />
      <Select
        name="can_join"
        label={t('admin.products_join')}
        required
        options={options}
        defaultValue={wanted.can_join}
      />
      <div>
        <Button>{t('admin.products_see')}</Button>
      </div>
    </Form>
  );
}

/** Compares who can view and join, now and after the change. */
function Comparison({ now, then }: { now: Scopes; then: Scopes }) {
  const text = useText();
  const { t } = text;
  return (
    <dl className="grid gap-4 border-y border-line py-4">
      {(['can_view', 'can_join'] as const).map((name) => (
        <div key={name}>
          <dt className="text-sm text-muted">
            {t(name === 'can_view' ? 'admin.products_view' : 'admin.products_join')}
          </dt>
          {now[name] === then[name] ? (
            <dd>{t('admin.products_stays', { scope: scopeWord(text, now[name]) })}</dd>
          ) : (
            <>
              <dd className="text-muted">
                <span className="sr-only">{t('admin.products_now')}: </span>
                <s>{scopeWord(text, now[name])}</s>
              </dd>
              <dd className="font-serif text-xl font-semibold">
                <span className="sr-only">{t('admin.products_then')}: </span>
                {scopeWord(text, then[name])}
              </dd>
            </>
          )}
        </div>
      ))}
    </dl>
  );
}

type ConfirmProps = { preview: Preview; wanted: Scopes; query: string; back: string; followsCourse: boolean };

function Confirm({ preview, wanted, query, back, followsCourse }: ConfirmProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('confirm');
  const { becomesPublic } = preview;
  return (
    <SmartForm intent="confirm" className="mt-6">
      {followsCourse ? <input type="hidden" name="as" value="course" /> : null}
      <input type="hidden" name="can_view" value={wanted.can_view} />
      <input type="hidden" name="can_join" value={wanted.can_join} />
      <input type="hidden" name="back" value={query} />
      <input type="hidden" name="title" value={preview.title} />
      <div className="flex flex-wrap gap-3">
        <Button look={becomesPublic ? 'danger' : 'primary'} isBusy={isSubmitting}>
          {t(becomesPublic ? 'admin.products_confirm_public' : 'admin.products_confirm')}
        </Button>
        <LinkButton look="secondary" to={back}>
          {t('admin.products_cancel')}
        </LinkButton>
      </div>
    </SmartForm>
  );
}
