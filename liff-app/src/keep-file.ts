import { isAbort, saveFile } from '@shop/web/files.ts'
import { inApp, openOutside, opensOutside } from './in-app.ts'
import { useToast } from './ui/toast.tsx'

/**
 * Gives the function that saves a file. Browsers of apps keep no downloads, so there it goes to the device's share sheet,
 * which can save it; some of them have none, and then a message says where it works. `shared` is the file as the sheet
 * takes it, where that differs.
 */
export function useKeepFile(): (file: Blob, name: string, shared?: { name: string; type: string }) => Promise<void> {
  const toast = useToast()
  return async (file, name, shared) => {
    if (!inApp) return saveFile(file, name)
    const files = [new File([file], shared?.name ?? name, { type: shared?.type ?? file.type.split(';')[0] })]
    if (navigator.canShare?.({ files })) {
      await navigator.share({ files }).catch((error: unknown) => {
        if (!isAbort(error)) throw error
      })
      return
    }
    saveFile(file, name)
    toast({
      text: `ถ้าไม่พบไฟล์ แปลว่า${inApp} บันทึกไฟล์ไม่ได้ กรุณาเปิดร้านในเบราว์เซอร์`,
      seconds: 10,
      ...(opensOutside && {
        action: { label: 'เปิด', onPress: () => void openOutside(location.pathname + location.search) },
      }),
    })
  }
}
