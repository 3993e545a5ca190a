/** A page before its code is there. */
export function PageShape() {
  return (
    <div aria-busy="true">
      <p className="sr-only" role="status">
        กรุณารอสักครู่..
      </p>
      <div className="shape is-title" />
      <div className="shape is-list" />
    </div>
  )
}

/** The frame before anything is known of who looks at it; index.html shows the same before this code is there. */
export function FrameShape() {
  return (
    <div className="app">
      <div className="sider" />
      <div className="top-bar" />
      <main className="main">
        <PageShape />
      </main>
    </div>
  )
}
