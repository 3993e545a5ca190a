import { CheckboxRow } from '../ui/checkbox-row.tsx'
import { Note } from '../ui/note.tsx'

interface WarningBoxProps {
  text: string
  isGiven: boolean
  onTick: (isOn: boolean) => void
}

/** What can't be undone once it is bought, in full, to be agreed to for each order. */
export const WarningBox = ({ text, isGiven, onTick }: WarningBoxProps) => (
  <section id="warning-box" aria-labelledby="warning-title" className="mt-2">
    <Note kind="warn">
      <h2 id="warning-title" className="font-semibold">
        ข้อควรรู้ก่อนซื้อ
      </h2>
      <p id="warning-text" className="wrap-anywhere">
        {text}
      </p>
    </Note>
    <CheckboxRow checked={isGiven} aria-describedby="warning-text" onChange={event => onTick(event.target.checked)}>
      ฉันอ่านและเข้าใจข้อควรรู้นี้แล้ว
    </CheckboxRow>
  </section>
)
