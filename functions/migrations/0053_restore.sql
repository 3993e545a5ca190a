CREATE TABLE "lost_slip" (
	"slip_id" uuid PRIMARY KEY NOT NULL,
	"found_at" timestamp (3) with time zone NOT NULL,
	"closed_by" text,
	"closed_at" timestamp (3) with time zone,
	"closed_reason" text
);
--> statement-breakpoint
CREATE TABLE "safe_mode" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"identity" text NOT NULL,
	"ordered_at" timestamp (3) with time zone,
	"ordered_by" text,
	"ordered_for" text,
	"noticed_identity" text,
	"noticed_at" timestamp (3) with time zone,
	"lost_from" timestamp (3) with time zone,
	"compared_at" timestamp (3) with time zone,
	"went_at" timestamp (3) with time zone,
	"went_by" text,
	CONSTRAINT "safe_mode_one" CHECK ("safe_mode"."one")
);
--> statement-breakpoint
ALTER TABLE "lost_slip" ADD CONSTRAINT "lost_slip_slip_id_slip_id_fk" FOREIGN KEY ("slip_id") REFERENCES "public"."slip"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "lost_slip_open" ON "lost_slip" USING btree ("found_at") WHERE "lost_slip"."closed_at" IS NULL;--> statement-breakpoint
-- The database on which this runs first is the shop's own: see functions/src/outbox/safe-mode.ts.
INSERT INTO "safe_mode" ("identity") SELECT (SELECT system_identifier FROM pg_control_system()) || '/' || left(pg_walfile_name(pg_current_wal_lsn()), 8)
  || '/' || 'public.safe_mode'::regclass::oid;
