import { lazy, Suspense, useRef, useState, type ChangeEvent } from 'react';
import { Form, Link, useRevalidator } from 'react-router';
import { readProfile, updateProfile } from '@officium/contract/account';
import { uploadProfileImage } from '@officium/contract/assets';
import { act, loadSignedIn, refuse } from '../../server/api.ts';
import { redirectWith } from '../../form/flash.ts';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import { useText } from '../../text.tsx';
import { announce } from '../../ui/announce.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { Head } from '../../ui/head.tsx';
import { Notice } from '../../ui/notice.tsx';
import type { Route } from './+types/picture.page';

const HERE = '/me/settings/picture';
/** The server's limit; with script the picture is downscaled first. */
const MAX_BYTES = 5 * 1024 * 1024;
const TYPES = 'image/jpeg,image/png,image/webp,image/gif';

const Cropper = lazy(() => import('./cropper.tsx'));

export async function loader({ request, context }: Route.LoaderArgs) {
  const { api } = await loadSignedIn(request, context);
  const { name, image } = await api(readProfile, { params: { id: 'me' } });
  return { name, picture: image?.full ?? null };
}

export async function action({ request, context }: Route.ActionArgs) {
  const { attempt, fields } = await act(request, context);
  if (fields.get('intent') === 'remove') {
    const removed = await attempt(updateProfile, { body: { image: null } });
    return removed.ok ? redirectWith(HERE, { key: 'people.picture_removed', tone: 'info' }) : removed.refusal;
  }
  const file = fields.get('picture');
  if (!(file instanceof File) || file.size === 0) return refused('Picture is required');
  if (file.size > MAX_BYTES) return refused('Picture must have at most 5 MB');
  const uploaded = await attempt(uploadProfileImage, { params: { userId: 'me' }, file });
  if (uploaded.ok) return redirectWith(HERE, { key: 'people.picture_saved' });
  return uploaded.failure.code === 'assets.bad_image' ? refused('Picture cannot be opened') : uploaded.refusal;
}

/** The wording that form/issue-text.ts translates. */
function refused(message: string) {
  return refuse({ message, issues: [{ path: 'picture', message }], values: { intent: 'picture' } });
}

export default function Picture({ loaderData }: Route.ComponentProps) {
  const { name, picture } = loaderData;
  const { t } = useText();
  return (
    <div className="page max-w-read py-10 md:py-14">
      <Head title={t('people.picture')} isPrivate />
      <p>
        <Link to="/people/me" className="link inline-block py-2">
          {t('people.back_to_own')}
        </Link>
      </p>
      <h1 className="mt-2 text-4xl">{t('people.picture')}</h1>
      <div className="mt-6 flex flex-wrap items-center gap-6">
        <Avatar name={name} src={picture} size={128} />
        <p className="min-w-0 flex-1 basis-64 text-muted">{t('people.picture_intro')}</p>
      </div>
      <Choose />
      {picture ? <Remove /> : null}
    </div>
  );
}

type Failure = 'errors.issue_picture' | 'people.picture_failed';
type Stage =
  { is: 'choosing' } | { is: 'cropping'; picture: ImageBitmap } | { is: 'failed'; why: Failure } | { is: 'done' };

type UploadProps = { failure: Failure | undefined; onPick: (event: ChangeEvent<HTMLInputElement>) => void };

/** A plain form, which works without script. */
function UploadForm({ failure, onPick }: UploadProps) {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('picture');
  return (
    <SmartForm intent="picture" encType="multipart/form-data" className="mt-4 grid gap-4">
      <Field
        name="picture"
        type="file"
        accept={TYPES}
        label={t('people.picture_choose')}
        hint={
          <>
            {t('people.picture_hint')} <noscript>{t('people.picture_hint_plain')}</noscript>
          </>
        }
        error={failure && t(failure)}
        onChange={onPick}
        required
      />
      <div>
        <Button isBusy={isSubmitting}>{t('people.picture_upload')}</Button>
      </div>
    </SmartForm>
  );
}

/** The upload form; with script the chosen picture is cropped first. */
function Choose() {
  const { t } = useText();
  const { revalidate } = useRevalidator();
  const [stage, setStage] = useState<Stage>({ is: 'choosing' });
  const form = useRef<HTMLFormElement | null>(null);
  const result = useRef<HTMLDivElement>(null);

  const open = async (event: ChangeEvent<HTMLInputElement>) => {
    const file = event.target.files?.[0];
    form.current = event.target.form;
    if (!file) return;
    try {
      const [{ openPicture }] = await Promise.all([import('./picture-file.ts'), import('./cropper.tsx')]);
      const picture = await openPicture(file);
      if (picture) setStage({ is: 'cropping', picture });
      else fail('errors.issue_picture');
    } catch {
      fail('people.picture_failed'); // the cropper's script failed to load
    }
  };
  const fail = (why: Failure) => {
    setStage({ is: 'failed', why });
    announce(t(why));
  };
  const finish = (next: Stage) => {
    if (stage.is === 'cropping') stage.picture.close();
    form.current?.reset();
    setStage(next);
    result.current?.focus();
  };

  return (
    <>
      <div ref={result} tabIndex={-1} className="mt-8 outline-none">
        {stage.is === 'done' ? (
          <Notice tone="success" live>
            {t('people.picture_saved')}
          </Notice>
        ) : null}
      </div>
      <div hidden={stage.is === 'cropping'}>
        <UploadForm failure={stage.is === 'failed' ? stage.why : undefined} onPick={(event) => void open(event)} />
      </div>
      {stage.is === 'cropping' ? (
        <Suspense fallback={<p className="mt-6 text-muted">{t('common.loading')}</p>}>
          <Cropper
            picture={stage.picture}
            address="/api/assets/users/me/profile-images"
            onCancel={() => finish({ is: 'choosing' })}
            onDone={() => {
              finish({ is: 'done' });
              void revalidate();
            }}
          />
        </Suspense>
      ) : null}
    </>
  );
}

function Remove() {
  const { t } = useText();
  const { isSubmitting } = useSubmitting('remove');
  return (
    <details className="mt-10 border-t border-line pt-4">
      <summary className="link inline-flex min-h-11 items-center">{t('people.picture_remove')}</summary>
      <Form method="post" className="mt-2 grid gap-3">
        <p className="text-muted">{t('people.picture_remove_text')}</p>
        <div>
          <Button name="intent" value="remove" look="danger" isBusy={isSubmitting}>
            {t('people.picture_remove')}
          </Button>
        </div>
      </Form>
    </details>
  );
}
