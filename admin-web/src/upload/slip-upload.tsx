import { AppError, messageOf } from '@shop/shared/errors.ts'
import { uploadSlip } from '@shop/shared/upload/endpoints.ts'
import { useMutation } from '@tanstack/react-query'
import { Button, Upload } from 'antd'
import { ImageUp, X } from 'lucide-react'
import { useState } from 'react'
import { useClient } from '../account/session.tsx'
import './slip.css'
import { useObjectUrl } from '@shop/web/files.ts'

/** A file that was refused stays refused; only a server in trouble is worth asking again. */
const errorStatusOf = (error: unknown) => (error instanceof AppError ? error.status : 500)

/** One slip picture, sent as soon as it is chosen; usable as a form field whose value is the slip's id. */
export function SlipUpload({
  id,
  onChange,
}: {
  id?: string
  value?: string | null
  onChange?: (to: string | null) => void
}) {
  const client = useClient()
  const [file, setFile] = useState<File | null>(null)
  const preview = useObjectUrl(file)
  const upload = useMutation({
    mutationFn: (chosen: File) => client.call(uploadSlip, { file: chosen, idempotencyKey: crypto.randomUUID() }),
    onSuccess: slip => onChange?.(slip.id),
  })
  const choose = (chosen: File) => {
    onChange?.(null)
    setFile(chosen)
    upload.mutate(chosen)
    return false
  }
  const clear = () => {
    setFile(null)
    upload.reset()
    onChange?.(null)
  }
  return (
    <div className="slip-upload">
      {preview && !upload.isError && <img src={preview} alt="สลิปที่เลือก" width={72} />}
      <div className="grow">
        <div className="row">
          <Upload id={id} accept="image/*" maxCount={1} showUploadList={false} beforeUpload={choose}>
            <Button icon={<ImageUp size={16} aria-hidden />} loading={upload.isPending}>
              {file ? 'เปลี่ยนสลิป' : 'แนบสลิป'}
            </Button>
          </Upload>
          {file && <Button type="text" icon={<X size={16} aria-hidden />} aria-label="เอาสลิปออก" onClick={clear} />}
        </div>
        <div className="note" role="status">
          {upload.isSuccess && <span className="is-ok">{file?.name} file uploaded successfully</span>}
          {upload.isPending && <span className="muted">กรุณารอสักครู่..</span>}
        </div>
        {upload.isError && (
          <div className="field-error" role="alert">
            {file?.name} file upload failed. {messageOf(upload.error)}{' '}
            {file && errorStatusOf(upload.error) >= 500 && (
              <Button size="small" onClick={() => upload.mutate(file)}>
                ลองอีกครั้ง
              </Button>
            )}
          </div>
        )}
      </div>
    </div>
  )
}
