import { useText } from '../text.tsx';
import { Field } from '../ui/field.tsx';

/** Field for a code of an authenticator app. */
export function AppCode() {
  const { t } = useText();
  return (
    <Field
      name="code"
      label={t('auth.app_code')}
      hint={t('auth.app_code_hint')}
      autoComplete="one-time-code"
      inputMode="numeric"
      maxLength={10}
      required
      dir="ltr"
    />
  );
}
