import { useRouteLoaderData } from 'react-router';
import { SmartForm, useSubmitting } from '../../form/form-scope.tsx';
import type { RootData } from '../../root-data.ts';
import { useText } from '../../text.tsx';
import { Button } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';

/** Recommends a course to a colleague by e-mail; for people who are signed in. */
export function Refer() {
  const { t } = useText();
  const viewer = useRouteLoaderData<RootData>('root')?.viewer;
  const { isSubmitting } = useSubmitting('refer');
  if (!viewer) return null;
  return (
    <section aria-labelledby="refer" className="mt-8">
      <h2 id="refer" className="text-xl">
        {t('learning.refer_title')}
      </h2>
      <SmartForm intent="refer" className="mt-3 grid gap-3">
        <Field
          name="email"
          type="email"
          label={t('auth.email')}
          hint={t('learning.refer_hint')}
          autoComplete="off"
          maxLength={254}
          required
        />
        <div>
          <Button look="secondary" isBusy={isSubmitting}>
            {t('learning.refer_send')}
          </Button>
        </div>
      </SmartForm>
    </section>
  );
}
