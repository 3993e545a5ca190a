import { isAdminSide } from '@shop/shared/permissions.ts'
import { useEffect } from 'react'
import { Navigate, useLocation } from 'react-router-dom'
import { useSession } from '../account/session.tsx'
import { adminUrl } from '../shop.ts'
import NotFoundScreen from '../ui/not-found-screen.tsx'

/** Leads staff from an address of the back office to the admin site. For others the address does not exist. */
export default function StaffSiteScreen() {
  const { me } = useSession()
  const { pathname, search } = useLocation()
  const isStaff = me !== null && isAdminSide(me.role)
  useEffect(() => {
    if (isStaff) location.replace(adminUrl + pathname + search)
  }, [isStaff, pathname, search])
  if (isStaff) return <p role="status">กำลังไปที่ระบบหลังร้าน</p>
  return pathname === '/dashboard' ? <Navigate to="/game" replace /> : <NotFoundScreen />
}
