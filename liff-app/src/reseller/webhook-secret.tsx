import { DOCS_PATH } from './address.ts'
import type { Secret } from './once-sheet.tsx'

/** The secret of an endpoint as its sheet shows it; null until there is one. */
export const webhookSecretOf = (text: string | null): Secret | null =>
  text === null
    ? null
    : {
        name: 'รหัสลับ',
        text,
        use: (
          <p className="mt-3 text-ink-2 text-small">
            เครื่องของคุณใช้รหัสลับตรวจว่าข้อความมาจากร้านจริง ตามมาตรฐาน Standard Webhooks{' '}
            <a href={DOCS_PATH} target="_blank" rel="noreferrer" className="link py-3">
              ดูวิธีตรวจในเอกสาร
            </a>
          </p>
        ),
      }
