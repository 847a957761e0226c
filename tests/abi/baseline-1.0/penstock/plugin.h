/* SPDX-License-Identifier: Apache-2.0
 *
 * penstock/plugin.h - the contract between Penstock and a hypervisor plugin, version 1.
 *
 * A plugin reports facts of one hypervisor: its instances (virtual machines, containers), their disks,
 * the host processes that submit the I/O of those disks, and, where the hypervisor has one, its own limiter.
 * It decides nothing and touches no cgroup.
 *
 * Rules that hold for every call
 *  - The library exports exactly one symbol, the data object `penstock_plugin_entry_v1`.
 *  - Only fixed-width integers, pointers and penstock_str cross. All strings are UTF-8 if they can be, bytes if
 *    not, and are never trusted by the host.
 *  - Nothing changes owner. A record and its strings are borrowed until the sink function returns.
 *  - A sink that returns non-zero means: stop, and return that value.
 *  - The first argument is a call context with a deadline, the last one an error that the caller owns.
 *    A call returns 0 or a negative PENSTOCK_E_*; no C++ exception crosses.
 *  - Structs grow at the tail only. The writer sets struct_size to what it was compiled with; the reader copies
 *    min(struct_size, its own size) into a zeroed struct of its own. Elements of an array are `stride` bytes apart.
 *  - Threads: what penstock_descriptor.thread_model says. Unless said otherwise the host calls one function of a
 *    plugin object at a time (PENSTOCK_THREADS_SERIAL), though not always from the same thread.
 */
/* Fields and their comments are laid out by hand, as a table to read. */
/* clang-format off */
#ifndef PENSTOCK_PLUGIN_H
#define PENSTOCK_PLUGIN_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PENSTOCK_ABI_MAJOR 1u
#define PENSTOCK_ABI_MINOR 0u
#define PENSTOCK_MAGIC 0x314b5450u /* "PTK1" read as little endian */
#define PENSTOCK_ENTRY_SYMBOL "penstock_plugin_entry_v1"
#define PENSTOCK_STRUCT_MAX 65536u /* a struct_size above this is refused */

#if defined(__GNUC__)
#define PENSTOCK_EXPORT __attribute__((visibility("default")))
#else
#define PENSTOCK_EXPORT
#endif

/* ---- strings, call context, errors ------------------------------------------------------------------------- */

/* n bytes at p; not NUL-terminated, may hold any byte. p may be NULL only where n is 0, which means "absent". */
typedef struct penstock_str {
    const char *p;
    uint32_t n;
    uint32_t reserved;
} penstock_str;

typedef struct penstock_call {
    uint32_t struct_size;
    int32_t cancel_fd;    /* becomes readable when the host gives up on the call; -1: none */
    uint64_t deadline_ns; /* on CLOCK_MONOTONIC; return PENSTOCK_E_TIMEOUT when it has passed */
    uint64_t request_id;  /* for logs */
    uint64_t generation;  /* grows with each round of enumeration; a plugin may cache within one generation */
} penstock_call;

#define PENSTOCK_E_GONE (-1)        /* the instance, disk or process ended; normal life, nobody logs it */
#define PENSTOCK_E_NOT_PRESENT (-2) /* the hypervisor is not on this host */
#define PENSTOCK_E_UNSUPPORTED (-3) /* this hypervisor or this disk cannot do it */
#define PENSTOCK_E_DENIED (-4)      /* permission */
#define PENSTOCK_E_BUSY (-5)        /* someone else holds the resource; see retry_after_ms */
#define PENSTOCK_E_TIMEOUT (-6)     /* the deadline passed */
#define PENSTOCK_E_MALFORMED (-7)   /* the other side answered what it should not */
#define PENSTOCK_E_PARTIAL (-8)     /* records were emitted, but not all there are */
#define PENSTOCK_E_CONFLICT (-9)    /* contradicts what is set, for example total together with read */
#define PENSTOCK_E_INTERNAL (-10)   /* a defect of the plugin */

typedef struct penstock_error {
    uint32_t struct_size;
    int32_t code;            /* PENSTOCK_E_*; the same as the return value */
    int32_t sys_errno;       /* errno of the failed system call, 0 where there is none */
    uint32_t retry_after_ms; /* 0: no advice */
    char message[248];       /* UTF-8, NUL-terminated: what was being done, on what, and what to do next */
} penstock_error;

/* ---- records ----------------------------------------------------------------------------------------------- */

/* One line of a probe: a component (a library, a daemon, a socket directory) and what was found. */
#define PENSTOCK_PROBE_PRESENT 1u
#define PENSTOCK_PROBE_ABSENT 2u /* not installed or not running: fine */
#define PENSTOCK_PROBE_BROKEN 3u /* there, but cannot be used: detail says why and what to do */
typedef struct penstock_probe {
    uint32_t struct_size;
    uint32_t status;        /* PENSTOCK_PROBE_* */
    penstock_str component; /* "qmp", "libvirt", "liblxc" */
    penstock_str version;
    penstock_str detail;
} penstock_probe;

/* kind + id name an instance for its whole life, across restarts; incarnation differs after each start, so that a
 * handle kept over a restart fails with PENSTOCK_E_GONE and never acts on the wrong process. */
typedef struct penstock_key {
    penstock_str kind;        /* "kvm", "xen", "lxc": one of the descriptor's kinds */
    penstock_str id;          /* uuid where there is one */
    penstock_str incarnation; /* for example "4711-8834512": main pid and start time */
} penstock_key;

#define PENSTOCK_STATE_UNKNOWN 0u
#define PENSTOCK_STATE_RUNNING 1u
#define PENSTOCK_STATE_PAUSED 2u
#define PENSTOCK_STATE_STOPPED 3u

/* capability bits of an instance */
#define PENSTOCK_CAP_NATIVE_LIMIT 1u  /* penstock.native-limit/1 works on its disks */
#define PENSTOCK_CAP_MANAGED 2u       /* a manager (libvirt, systemd) owns its cgroup */
#define PENSTOCK_CAP_UNREACHABLE 4u   /* found, but its control channel did not answer: `note` says why */

typedef struct penstock_instance {
    uint32_t struct_size;
    uint32_t state; /* PENSTOCK_STATE_* */
    penstock_key key;
    penstock_str name;
    int32_t main_pid;    /* 0: none */
    int32_t root_pid;    /* layer paths are seen below /proc/<root_pid>/root; 0: paths of the host itself */
    uint64_t main_start; /* start time of main_pid in clock ticks after boot: field 22 of /proc/PID/stat */
    uint64_t capabilities;
    penstock_str cgroup_hint; /* what the manager says; the kernel's word counts more */
    penstock_str manager;     /* "libvirt", "proxmox", "lxc"; empty: started by hand */
    penstock_str note;        /* one sentence for people */
} penstock_instance;

/* One layer of a backing chain, as the hypervisor says it. The host walks partitions, loop, dm and md itself. */
#define PENSTOCK_LAYER_UNKNOWN 0u
#define PENSTOCK_LAYER_FILE 1u      /* an image file at `path` */
#define PENSTOCK_LAYER_BLOCK 2u     /* a block device node at `path`, or rdev */
#define PENSTOCK_LAYER_DIRECTORY 3u /* a directory tree or mount point at `path` */
#define PENSTOCK_LAYER_NETWORK 4u   /* nbd, rbd, iscsi, nfs, ...: `uri`, credentials removed */
#define PENSTOCK_LAYER_OTHER 5u     /* passed-through controller, null driver, ...: `format` names it */

#define PENSTOCK_LAYER_HAS_ST_DEV 1u  /* st_dev_* hold the device of the file system the file lies on */
#define PENSTOCK_LAYER_HAS_RDEV 2u    /* rdev_* hold the number of the block device itself */
#define PENSTOCK_LAYER_READ_ONLY 4u
#define PENSTOCK_LAYER_DIRECT 8u      /* opened with O_DIRECT */
#define PENSTOCK_LAYER_BUFFERED 16u   /* goes through the host's page cache; neither bit: unknown */

typedef struct penstock_layer {
    uint32_t struct_size;
    uint32_t kind;  /* PENSTOCK_LAYER_* */
    uint32_t flags; /* PENSTOCK_LAYER_HAS_ST_DEV and so on */
    uint32_t reserved;
    penstock_str format; /* "raw", "qcow2", "host_device", "nbd" */
    penstock_str path;   /* as the process `root_pid` sees it */
    penstock_str uri;
    penstock_str node;   /* the hypervisor's own name: QEMU's node-name */
    uint32_t st_dev_major, st_dev_minor;
    uint32_t rdev_major, rdev_minor;
} penstock_layer;

#define PENSTOCK_DISK_READ_ONLY 1u
#define PENSTOCK_DISK_REMOVABLE 2u
#define PENSTOCK_DISK_EMPTY 4u         /* a drive without a medium */
#define PENSTOCK_DISK_NATIVE_LIMIT 8u  /* penstock.native-limit/1 works on this disk */
#define PENSTOCK_DISK_OWN_PROCESS 16u  /* its I/O is submitted by processes that serve no other disk */

#define PENSTOCK_CACHE_UNKNOWN 0u
#define PENSTOCK_CACHE_DIRECT 1u   /* O_DIRECT: I/O reaches the block layer in the submitting task's name */
#define PENSTOCK_CACHE_BUFFERED 2u /* host page cache: writes reach the block layer later, from writeback */
#define PENSTOCK_CACHE_GUEST 3u    /* a container's file system: as each application opens its files */

typedef struct penstock_disk {
    uint32_t struct_size;
    uint32_t flags;      /* PENSTOCK_DISK_* */
    uint32_t cache_mode; /* PENSTOCK_CACHE_* */
    uint32_t layer_count;
    uint32_t layer_stride; /* sizeof(penstock_layer) of the plugin */
    uint32_t reserved;
    const penstock_layer *layers; /* from the guest down to the base */
    penstock_str target;          /* what people call it: vda, xvda, rootfs; unique within the instance */
    penstock_str native_id;       /* what native-limit takes: QOM path, vbd id, mount point */
    penstock_str driver;          /* "virtio-blk-pci", "ide-hd", "mount" */
    penstock_str bus;             /* "virtio", "scsi", "ide", "usb"; empty: unknown */
    penstock_str note;
} penstock_disk;

#define PENSTOCK_ROLE_UNKNOWN 0u
#define PENSTOCK_ROLE_EMULATOR 1u  /* the hypervisor's process: its main thread and its thread pool */
#define PENSTOCK_ROLE_IOTHREAD 2u
#define PENSTOCK_ROLE_VCPU 3u      /* submits I/O too, with ioeventfd off */
#define PENSTOCK_ROLE_VHOST 4u
#define PENSTOCK_ROLE_TAPDISK 5u
#define PENSTOCK_ROLE_BLKBACK 6u   /* a kernel thread */
#define PENSTOCK_ROLE_CONTAINER_INIT 7u
#define PENSTOCK_ROLE_CONTAINER_TASK 8u

#define PENSTOCK_ANSWER_UNKNOWN 0u
#define PENSTOCK_ANSWER_YES 1u
#define PENSTOCK_ANSWER_NO 2u

typedef struct penstock_actor {
    uint32_t struct_size;
    uint32_t role; /* PENSTOCK_ROLE_* */
    int32_t pid;
    int32_t tid;         /* equal to pid for a whole process */
    uint64_t start_time; /* of tid, clock ticks after boot */
    uint32_t exclusive;  /* PENSTOCK_ANSWER_*: YES: it serves this instance alone */
    uint32_t movable;    /* PENSTOCK_ANSWER_*: may the host move it to another cgroup? */
    uint32_t disk_count; /* 0: it serves every disk of the instance */
    uint32_t disk_stride; /* sizeof(penstock_str) */
    const penstock_str *disks; /* targets */
    penstock_str name;         /* comm of the thread */
} penstock_actor;

/* ---- limits ------------------------------------------------------------------------------------------------ */

/* Index of a rate in the arrays of penstock_limits. Bandwidth in bytes per second, the others in requests per second. */
#define PENSTOCK_READ_BPS 0u
#define PENSTOCK_WRITE_BPS 1u
#define PENSTOCK_TOTAL_BPS 2u
#define PENSTOCK_READ_IOPS 3u
#define PENSTOCK_WRITE_IOPS 4u
#define PENSTOCK_TOTAL_IOPS 5u
#define PENSTOCK_RATE_COUNT 6u

/* Bits of penstock_limits.present and of a clear mask. Bit r is rate r, bit 8+r its burst. */
#define PENSTOCK_LIMIT_RATE(r) (UINT64_C(1) << (r))
#define PENSTOCK_LIMIT_BURST(r) (UINT64_C(1) << (8u + (r)))
#define PENSTOCK_LIMIT_IO_SIZE (UINT64_C(1) << 16)
#define PENSTOCK_LIMIT_GROUP (UINT64_C(1) << 17)
#define PENSTOCK_LIMIT_ALL (UINT64_C(0x33f3f))

/* A field whose bit is not in `present` is not set: neither 0 nor "unlimited". */
typedef struct penstock_limits {
    uint32_t struct_size;
    uint32_t reserved;
    uint64_t present;
    uint64_t rate[6];          /* per second */
    uint64_t burst[6];         /* per second, while a burst lasts */
    uint64_t burst_seconds[6]; /* 0 means 1 */
    uint64_t io_size;          /* bytes that count as one request for iops limits */
    penstock_str group;        /* members share one allowance */
} penstock_limits;

#define PENSTOCK_SUPPORT_NONE 0u
#define PENSTOCK_SUPPORT_EMULATED 1u
#define PENSTOCK_SUPPORT_NATIVE 2u

/* What the limiter of a disk can do with one field. */
typedef struct penstock_limit_support {
    uint32_t struct_size;
    uint32_t support;     /* PENSTOCK_SUPPORT_* */
    uint64_t field;       /* one bit of the present mask */
    uint64_t minimum;     /* least value that is accepted */
    uint64_t maximum;     /* greatest value that is accepted */
    uint64_t granularity; /* values are rounded to a multiple of this; 1: exact */
} penstock_limit_support;

/* ---- the host ---------------------------------------------------------------------------------------------- */

#define PENSTOCK_LOG_DEBUG 0u
#define PENSTOCK_LOG_INFO 1u
#define PENSTOCK_LOG_WARNING 2u
#define PENSTOCK_LOG_ERROR 3u

/* Lives as long as the plugin object. Every function of it may be called from any thread. A plugin takes time and
 * file system roots from here only, so that it can be tested against a captured tree. */
typedef struct penstock_host {
    uint32_t struct_size;
    uint32_t abi_major;
    uint32_t abi_minor;
    uint32_t reserved;
    void *ctx;
    penstock_str proc_root; /* "/proc" */
    penstock_str sys_root;  /* "/sys" */
    penstock_str run_root;  /* "/run" */
    void (*log)(void *ctx, uint32_t level, penstock_str message);
    uint64_t (*monotonic_ns)(void *ctx);
    /* The plugin's own section of the configuration: calls `value` at most once. Returns 0, or NOT_PRESENT. */
    int32_t (*config)(void *ctx, penstock_str key, void *value_ctx, int32_t (*value)(void *value_ctx, penstock_str v));
    /* An optional service of the host, by id; NULL: this host does not offer it. */
    const void *(*get_extension)(void *ctx, const char *id);
} penstock_host;

/* ---- operations -------------------------------------------------------------------------------------------- */

typedef int32_t (*penstock_emit_probe)(void *ctx, const penstock_probe *record);
typedef int32_t (*penstock_emit_instance)(void *ctx, const penstock_instance *record);
typedef int32_t (*penstock_emit_disk)(void *ctx, const penstock_disk *record);
typedef int32_t (*penstock_emit_actor)(void *ctx, const penstock_actor *record);
typedef int32_t (*penstock_emit_limits)(void *ctx, const penstock_limits *record);
typedef int32_t (*penstock_emit_limit_support)(void *ctx, const penstock_limit_support *record);

/* Mandatory. */
#define PENSTOCK_EXT_CORE "penstock.core/1"
typedef struct penstock_core_v1 {
    uint32_t struct_size;
    uint32_t reserved;
    /* Is the hypervisor here? Under 100 ms, without side effects, also for an unprivileged caller. */
    int32_t (*probe)(void *self, const penstock_call *call, void *ctx, penstock_emit_probe emit, penstock_error *error);
    /* Every running instance. Cheap: no conversation with an instance, so that a hanging one cannot hide the rest. */
    int32_t (*enumerate_instances)(void *self, const penstock_call *call, void *ctx, penstock_emit_instance emit,
                                   penstock_error *error);
    /* Disks of one instance. GONE if this incarnation has ended. */
    int32_t (*enumerate_disks)(void *self, const penstock_call *call, const penstock_key *key, void *ctx,
                               penstock_emit_disk emit, penstock_error *error);
    /* Processes and threads that submit the I/O of one instance. GONE if this incarnation has ended. */
    int32_t (*enumerate_actors)(void *self, const penstock_call *call, const penstock_key *key, void *ctx,
                                penstock_emit_actor emit, penstock_error *error);
} penstock_core_v1;

/* Optional: the hypervisor's own limiter. `disk` is a native_id. */
#define PENSTOCK_EXT_NATIVE_LIMIT "penstock.native-limit/1"
typedef struct penstock_native_limit_v1 {
    uint32_t struct_size;
    uint32_t reserved;
    /* One record for each field that is supported at all. */
    int32_t (*support)(void *self, const penstock_call *call, const penstock_key *key, penstock_str disk, void *ctx,
                       penstock_emit_limit_support emit, penstock_error *error);
    /* What is in force now, read from the hypervisor; exactly one record. */
    int32_t (*read)(void *self, const penstock_call *call, const penstock_key *key, penstock_str disk, void *ctx,
                    penstock_emit_limits emit, penstock_error *error);
    /* Sets the fields of wanted->present and leaves the others as they are; emits what is in force afterwards, as
     * read back. Idempotent. CONFLICT where the result would break a rule of the hypervisor: nothing is changed. */
    int32_t (*apply)(void *self, const penstock_call *call, const penstock_key *key, penstock_str disk,
                     const penstock_limits *wanted, void *ctx, penstock_emit_limits emit, penstock_error *error);
    /* Removes the fields of `mask` and leaves the others; emits what is in force afterwards. */
    int32_t (*clear)(void *self, const penstock_call *call, const penstock_key *key, penstock_str disk, uint64_t mask,
                     void *ctx, penstock_emit_limits emit, penstock_error *error);
} penstock_native_limit_v1;

/* ---- entry ------------------------------------------------------------------------------------------------- */

#define PENSTOCK_THREADS_SERIAL 0u       /* one call at a time for the whole plugin object */
#define PENSTOCK_THREADS_PER_INSTANCE 1u /* one call at a time for each instance */
#define PENSTOCK_THREADS_PARALLEL 2u     /* any call at any time */

#define PENSTOCK_NEEDS_NETWORK 1u
#define PENSTOCK_NEEDS_FORK 2u
#define PENSTOCK_NEEDS_ROOT 4u
#define PENSTOCK_NEEDS_DEVICE_NODES 8u

/* Static data, readable before any function of the plugin has run. */
typedef struct penstock_descriptor {
    uint32_t struct_size;
    uint32_t thread_model; /* PENSTOCK_THREADS_* */
    uint32_t needs;        /* PENSTOCK_NEEDS_* */
    uint32_t default_deadline_ms; /* for one call; 0: the host's default */
    penstock_str id;              /* reverse-DNS: "org.penstock.kvm" */
    penstock_str name;
    penstock_str vendor;
    penstock_str version;
    uint32_t kind_count;
    uint32_t extension_count;
    const penstock_str *kinds;      /* kinds of instance that it reports */
    const penstock_str *extensions; /* ids that get_extension answers to */
} penstock_descriptor;

typedef struct penstock_plugin_entry {
    uint32_t struct_size;
    uint32_t magic; /* PENSTOCK_MAGIC */
    uint32_t abi_major;
    uint32_t abi_minor;
    uint32_t flags;        /* 0 */
    uint32_t plugin_count; /* 1 in this version */
    penstock_str sdk_version;
    const penstock_descriptor *(*describe)(uint32_t index);
    /* *self is the plugin object, passed back to every call. `host` outlives it. */
    int32_t (*create)(uint32_t index, const penstock_host *host, void **self, penstock_error *error);
    void (*destroy)(void *self);
    /* The table of an extension, a static object; NULL: not offered. */
    const void *(*get_extension)(uint32_t index, const char *id);
} penstock_plugin_entry;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* PENSTOCK_PLUGIN_H */
