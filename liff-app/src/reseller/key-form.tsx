import { KEY_MODE, KEY_SCOPE, KEY_SCOPES, type KeyMode, MOST_KEYS } from '@shop/shared/reseller/reseller.ts'
import { Controller } from 'react-hook-form'
import { fieldOf } from '../account/form-field.ts'
import { Button } from '../ui/button.tsx'
import { CheckboxRow } from '../ui/checkbox-row.tsx'
import { Field, HelpLine } from '../ui/field.tsx'
import { Note } from '../ui/note.tsx'
import { OptionCard, OptionGroup } from '../ui/option-card.tsx'
import { TextArea } from '../ui/text-area.tsx'
import { MODES_IN_ORDER } from './place.ts'
import { idOf, type Making } from './use-make-key.ts'

const MODE_DETAIL: Record<KeyMode, string> = {
  live: 'ใช้เงินในกระเป๋าเงินของคุณ',
  test: 'เงินและสินค้าจำลอง ไม่ตัดเงินจริง',
}

interface KeyFormProps {
  making: Making
  /** Modes of which there are as many keys as may be. */
  full: readonly KeyMode[]
}

/** What a new key is called and what it may do. */
export function KeyForm({ making: { form, toPin }, full }: KeyFormProps) {
  const [mode, scopes, limit] = form.watch(['mode', 'scopes', 'dailyLimitSatang'])
  const isUnlimited = mode === 'live' && scopes.includes('order') && !limit.trim()
  return (
    <form noValidate onSubmit={toPin}>
      <p className="mb-2.5 text-ink-2 text-small">ใครมีคีย์นี้ทำรายการแทนคุณได้ โดยไม่ต้องใช้รหัสผ่านหรือ PIN</p>
      <div className="grid grid-cols-1 gap-x-6 gap-y-1.5 @[40rem]:grid-cols-2">
        <div className="grid content-start gap-1.5">
          <Field
            {...fieldOf(form, 'name')}
            id={idOf('name')}
            label="ชื่อคีย์"
            help="ให้รู้ว่าใช้ที่เครื่องไหน เช่น เว็บร้าน"
            autoComplete="off"
            maxLength={50}
            required
          />
          <ModeChoice form={form} full={full} />
          <ScopeChoice form={form} />
        </div>
        <div className="grid content-start gap-1.5">
          <Field
            {...fieldOf(form, 'dailyLimitSatang')}
            id={idOf('dailyLimitSatang')}
            label="วงเงินต่อวัน (บาท)"
            help="ไม่บังคับ เริ่มนับใหม่ทุกเที่ยงคืน"
            placeholder="ไม่จำกัด"
            inputMode="decimal"
            autoComplete="off"
            maxLength={15}
          />
          {isUnlimited && (
            <Note kind="warn" role="status" className="mb-2">
              คีย์นี้จะใช้เงินในกระเป๋าได้ทั้งหมด ถ้าคีย์รั่ว วงเงินต่อวันช่วยจำกัดความเสียหาย
            </Note>
          )}
          <TextArea
            {...fieldOf(form, 'addresses')}
            id={idOf('addresses')}
            label="ใช้ได้จากที่อยู่ IP"
            help="ไม่บังคับ บรรทัดละ 1 ที่อยู่ เช่น 203.0.113.5 หรือ 203.0.113.0/24"
            placeholder="ทุกที่"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </div>
      </div>
      <Button type="submit" block className="mt-1.5">
        ต่อไป
      </Button>
    </form>
  )
}

type FormProps = Pick<Making, 'form'>

function ModeChoice({ form, full }: FormProps & Pick<KeyFormProps, 'full'>) {
  return (
    <Controller
      control={form.control}
      name="mode"
      render={({ field, fieldState }) => (
        <div>
          <p className="mb-1 text-label">โหมด</p>
          <OptionGroup id={idOf('mode')} label="โหมด" value={field.value} onChange={field.onChange}>
            {MODES_IN_ORDER.map(each => (
              <OptionCard
                key={each}
                value={each}
                name={KEY_MODE[each].label}
                detail={MODE_DETAIL[each]}
                reason={full.includes(each) ? `ครบ ${MOST_KEYS} คีย์แล้ว` : undefined}
              />
            ))}
          </OptionGroup>
          <HelpLine id={`${idOf('mode')}-help`} error={fieldState.error?.message} />
        </div>
      )}
    />
  )
}

function ScopeChoice({ form }: FormProps) {
  const { error, ...field } = fieldOf(form, 'scopes')
  return (
    <fieldset id={idOf('scopes')} aria-describedby={`${idOf('scopes')}-help`}>
      <legend className="text-label">คีย์นี้ทำอะไรได้</legend>
      {KEY_SCOPES.map(scope => (
        <CheckboxRow key={scope} {...field} value={scope} aria-invalid={error ? true : undefined}>
          {KEY_SCOPE[scope].label}
        </CheckboxRow>
      ))}
      <HelpLine id={`${idOf('scopes')}-help`} error={error} />
    </fieldset>
  )
}
