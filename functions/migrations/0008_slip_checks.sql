CREATE TABLE "outbox" (
	"id" uuid PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"key" text NOT NULL,
	"payload" jsonb NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"due_at" timestamp (3) with time zone NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp (3) with time zone,
	"last_error" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"settled_at" timestamp (3) with time zone,
	CONSTRAINT "outbox_once" UNIQUE("kind","key")
);
--> statement-breakpoint
CREATE TABLE "slip_ask" (
	"id" uuid PRIMARY KEY NOT NULL,
	"check_id" uuid NOT NULL,
	"provider" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"took_ms" integer,
	"http_status" integer,
	"code" text,
	"answer" text,
	"sending_bank" text,
	"bank_reference" text,
	"amount_satang" bigint,
	"transferred_at" timestamp (3) with time zone,
	"receiver_mask" text,
	"payer_name" text,
	"payer_mask" text,
	"flags" jsonb,
	"verdict" jsonb,
	"outcome" text,
	"is_shadow" boolean DEFAULT false NOT NULL,
	"raw" jsonb
);
--> statement-breakpoint
CREATE TABLE "slip_check" (
	"id" uuid PRIMARY KEY NOT NULL,
	"subject" text NOT NULL,
	"subject_id" uuid NOT NULL,
	"slip_id" uuid NOT NULL,
	"owner_key" text NOT NULL,
	"state" text NOT NULL,
	"reason" text,
	"created_at" timestamp (3) with time zone NOT NULL,
	"decided_at" timestamp (3) with time zone,
	"approved_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE TABLE "slip_provider" (
	"provider" text PRIMARY KEY NOT NULL,
	"stopped_until" timestamp (3) with time zone,
	"stopped_code" text
);
--> statement-breakpoint
ALTER TABLE "slip" ADD COLUMN "qr_text" text;--> statement-breakpoint
ALTER TABLE "slip_ask" ADD CONSTRAINT "slip_ask_check_id_slip_check_id_fk" FOREIGN KEY ("check_id") REFERENCES "public"."slip_check"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "slip_check" ADD CONSTRAINT "slip_check_slip_id_slip_id_fk" FOREIGN KEY ("slip_id") REFERENCES "public"."slip"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "outbox_due" ON "outbox" USING btree ("kind","due_at") WHERE "outbox"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "outbox_settled" ON "outbox" USING btree ("settled_at") WHERE "outbox"."state" <> 'waiting';--> statement-breakpoint
CREATE INDEX "slip_ask_check" ON "slip_ask" USING btree ("check_id","id");--> statement-breakpoint
CREATE INDEX "slip_ask_at" ON "slip_ask" USING btree ("asked_at");--> statement-breakpoint
CREATE INDEX "slip_ask_raw" ON "slip_ask" USING btree ("asked_at") WHERE "slip_ask"."raw" IS NOT NULL;--> statement-breakpoint
CREATE INDEX "slip_check_subject" ON "slip_check" USING btree ("subject_id","id");--> statement-breakpoint
CREATE INDEX "slip_check_slip" ON "slip_check" USING btree ("slip_id");--> statement-breakpoint
CREATE INDEX "slip_check_owner" ON "slip_check" USING btree ("owner_key","created_at");--> statement-breakpoint
CREATE INDEX "slip_check_approved" ON "slip_check" USING btree ("approved_at") WHERE "slip_check"."approved_at" IS NOT NULL;