"""What random worlds can have. A draft notes no other, and `random_world.py --each` wants each of them."""

FEATURES = frozenset("""
    alias alias-chain alias-conflict alias-for-a-time alias-in-holds alias-in-the-bill alias-loop
    attempt-without-record attempts attempts-meet beside-adjustment beside-credit beside-disk beside-instant
    beside-licence beside-purchase beside-refund beside-tax beside-unit beside-unused billed-beyond-capacity
    checkpoint core-time correction correction-of-a-closed-month cpus cpus-beside-devices credits-follow
    daily-line device-by-alias device-by-uuid device-hours device-names-mixed endpoint-with-record
    epoch-times equal-holds gzip hold-of-a-count hold-of-a-device hold-of-everything hold-of-no-length
    hold-on-unbilled hold-without-end hold-without-run identity idle-after inventory-says-more-devices
    inventory-says-other-cpus line-run-id loose-adjustment loose-credit loose-fee loose-free-fee
    loose-managed loose-network loose-other loose-rebate loose-storage loose-support loose-tax loose-unknown
    loose-unused machine-accelerator-hours machine-compute-without-type machine-eight-gpus machine-four-gpus
    machine-gone machine-gpu-count machine-node-type machine-one-gpu machine-one-gpu-details machine-shape
    machine-unknown-type month-before monthly-line negative-cost node-inventory null-cost odd-nanoseconds
    odd-period parent parent-loop parent-unknown part-billed plain-bill pool-for-a-time pool-of-resources
    pool-tag quantity-unknown quantity-zero-or-below quarantined rate-card rate-card-beside-a-bill rate-card-overlap
    rate-card-parts rate-chain rate-conflict rate-duplicate
    rate-inverse rate-too-old rate-unusable rates replica-without-end replicas requests
    run-id-tag run-id-tags-of-policy run-twice run-twice-with-other-checkpoint run-without-end
    second-currency several-lines-of-a-period shared-by-request shared-declared shared-equal shared-keep
    shared-proportional shares-by-requests shares-declared sm-active stage-tags tag tag-keys-fold telemetry
    telemetry-disagrees telemetry-duplicate telemetry-impossible telemetry-overlaps telemetry-without-busy
    tiny-cost two-bills type-changes unnamed weight weight-0 weight-1.5 weight-on-a-node weight-unreadable
    weighted-count
""".split())
