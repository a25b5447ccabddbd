import type { ReactNode } from 'react';
import { useFormScope } from '../../form/form-scope.tsx';
import { Checkbox } from '../../ui/field.tsx';

/** A checkbox that keeps its submitted state, else its initial one. */
export function Ticked({ name, label, isOn }: { name: string; label: ReactNode; isOn: boolean }) {
  const { state } = useFormScope();
  return <Checkbox name={name} label={label} defaultChecked={state?.values ? name in state.values : isOn} />;
}
