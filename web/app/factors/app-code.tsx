import { useText } from '../text.tsx';
import { Field } from '../ui/field.tsx';

/** The field for a code of an app. */
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
