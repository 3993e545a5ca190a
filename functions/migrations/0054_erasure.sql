CREATE TABLE "erasure" (
	"id" uuid PRIMARY KEY NOT NULL,
	"uids" text[] NOT NULL,
	"guest_hash" text,
	"state" text NOT NULL,
	"asked_at" timestamp (3) with time zone NOT NULL,
	"approved_at" timestamp (3) with time zone,
	"closed_at" timestamp (3) with time zone,
	"ended_at" timestamp (3) with time zone
);
--> statement-breakpoint
CREATE UNIQUE INDEX "erasure_open" ON "erasure" USING btree (("uids"[1])) WHERE "erasure"."state" IN ('asked', 'approved');--> statement-breakpoint
CREATE INDEX "erasure_state" ON "erasure" USING btree ("state","asked_at","id");